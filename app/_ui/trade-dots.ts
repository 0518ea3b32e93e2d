import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesApi,
  ISeriesPrimitive,
  ITimeScaleApi,
  PrimitiveHoveredItem,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from "lightweight-charts";
import type { SideName } from "@/lib/domain/enums.ts";

/** A place of trades on a line. */
export interface TradeDot {
  id: string;
  time: Time;
  /** Of the line there. */
  value: number;
  side: SideName;
  color: string;
  /** How many trades share the place. */
  count: number;
}

const RADIUS_PX = 3;
/** From the line to the first dot below it, and from one dot to the next below. */
const GAP_PX = 8;
/** How far from its middle a dot takes a pointer or a finger. */
const REACH_PX = 10;

interface Placed extends TradeDot {
  x: number;
  y: number;
}

/**
 * Dots of 6 px below a line, purchases filled and sales as rings. The library's own markers are larger, and the price axis would
 * make room for them.
 */
export class TradeDots implements ISeriesPrimitive<Time> {
  #dots: readonly TradeDot[] = [];
  #fontFamily = "sans-serif";
  #attached: Pick<SeriesAttachedParameter, "requestUpdate"> | null = null;
  readonly #series: ISeriesApi<SeriesType>;
  readonly #scale: ITimeScaleApi<Time>;
  readonly #views: readonly IPrimitivePaneView[];

  constructor(series: ISeriesApi<SeriesType>, scale: ITimeScaleApi<Time>) {
    this.#series = series;
    this.#scale = scale;
    const renderer: IPrimitivePaneRenderer = {
      draw: (target) => target.useMediaCoordinateSpace(({ context }) => this.#draw(context)),
    };
    this.#views = [{ renderer: () => renderer }];
  }

  show(dots: readonly TradeDot[], fontFamily: string): void {
    this.#dots = dots;
    this.#fontFamily = fontFamily;
    this.#attached?.requestUpdate();
  }

  attached(parameter: SeriesAttachedParameter): void {
    this.#attached = parameter;
  }

  detached(): void {
    this.#attached = null;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  hitTest(x: number, y: number): PrimitiveHoveredItem | null {
    const near = this.#placed()
      .map((dot) => ({ dot, distance: Math.hypot(dot.x - x, dot.y - y) }))
      .filter(({ distance }) => distance <= REACH_PX)
      .sort((a, b) => a.distance - b.distance);
    return near[0] === undefined ? null : { externalId: near[0].dot.id, zOrder: "normal" };
  }

  /** Purchases and sales of one place stand below each other. */
  #placed(): Placed[] {
    const rows = new Map<number, number>();
    return this.#dots.flatMap((dot) => {
      const [x, y] = [this.#scale.timeToCoordinate(dot.time), this.#series.priceToCoordinate(dot.value)];
      if (x === null || y === null) return [];
      const row = (rows.get(x) ?? 0) + 1;
      rows.set(x, row);
      return [{ ...dot, x, y: y + row * GAP_PX }];
    });
  }

  #draw(context: CanvasRenderingContext2D): void {
    context.font = `9px ${this.#fontFamily}`;
    context.textBaseline = "middle";
    context.lineWidth = 1.5;
    for (const { x, y, side, color, count } of this.#placed()) {
      [context.fillStyle, context.strokeStyle] = [color, color];
      context.beginPath();
      context.arc(x, y, side === "BUY" ? RADIUS_PX : RADIUS_PX - context.lineWidth / 2, 0, 2 * Math.PI);
      if (side === "BUY") context.fill();
      else context.stroke();
      if (count > 1) context.fillText(String(count), x + RADIUS_PX + 2, y);
    }
  }
}
