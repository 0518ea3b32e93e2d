/** How a long command says how far it is: a bar on a terminal, now and then a line elsewhere. */
export interface Progress {
  at(done: number, total: number): void;
  /** Removes the bar. */
  end(): void;
}

const WIDTH = 30;
const LINE_EVERY = 0.25;

export function showProgress(label: string): Progress {
  const stream = process.stderr;
  let shown = -1;
  if (stream.isTTY) {
    return {
      at(done, total) {
        const percent = Math.floor((100 * done) / total);
        if (percent === shown) return;
        shown = percent;
        const full = Math.round((WIDTH * done) / total);
        stream.write(`\r${label} [${"█".repeat(full)}${" ".repeat(WIDTH - full)}] ${percent} % (${done} of ${total})`);
      },
      end() {
        if (shown >= 0) stream.write("\r\u001b[2K");
      },
    };
  }
  return {
    at(done, total) {
      const step = Math.floor(done / total / LINE_EVERY);
      if (step === shown) return;
      shown = step;
      stream.write(`${label}: ${done} of ${total}\n`);
    },
    end() {
      // Lines stay.
    },
  };
}
