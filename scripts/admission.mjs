// Who is answered when more is asked than can be: what protects money always, reads as many at once as stay quick.
import { readdirSync } from "node:fs";
import { beginAnswer, refuse } from "./web-edge.mjs";

/**
 * Reads that are being answered at once while there are more than can be answered. On one core a read costs some 5 ms: more of
 * them would wait for each other longer than a dashboard waits for its next reading, and everything else with them.
 */
const READS_AT_ONCE = 16;

/** What comes at once to a process that has time, as when pages are opened, is answered: so many times the reads, ... */
const BURST = 4;
/** ... while no more than half of the places were taken a moment ago. Longer than that it is no burst. */
const BURST_MS = 100;

/** What the operator set, or the default. */
export function readLimit(text = "") {
  if (text === "") return READS_AT_ONCE;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`WEB_READS_AT_ONCE is a whole number from 1 on, not "${text}".`);
  return Number(text);
}

const RETRY_AFTER_S = 2;

/** Files that are sent as they are. Any other path, whatever it ends with, may be a page. */
const FILES = new Set(readdirSync(new URL("../public", import.meta.url)).map((name) => `/${name}`));
/** Of what Next built: no segment leads out of it. */
const BUILT = /^\/_next\/static\/(?!.*(?:\.|%2e){2})/i;

/** Reads of the API and pages. Calls that change something, health checks, sign-ins and built files are never shed. */
export function isRead({ method, url }) {
  if (method !== "GET" && method !== "HEAD") return false;
  const [path] = url.split("?", 1);
  if (path.startsWith("/api/")) return path.startsWith("/api/v1/") && !path.startsWith("/api/v1/health/");
  return !BUILT.test(path) && !FILES.has(path);
}

/**
 * Counts reads from their arrival until their answer begins: a file that is taken slowly holds no place, and a line that breaks
 * gives its place back.
 */
export function createAdmission(readsAtOnce, now = () => performance.now()) {
  let reads = 0;
  let turnedAway = 0;
  /** Since when more than half of the places are taken; null while they are not. */
  let busySince = null;
  const isBusy = () => reads > readsAtOnce / 2;
  const most = () => (busySince === null || now() - busySince < BURST_MS ? BURST * readsAtOnce : readsAtOnce);
  return {
    get reads() {
      return reads;
    },
    get turnedAway() {
      return turnedAway;
    },
    /** More than half of the places are taken: documents are made without answers that their screens can ask for later. */
    get isBusy() {
      return isBusy();
    },
    /** False for a read that has no place; else it is counted, and `response` tells when it is answered. */
    admit(request, response) {
      if (!isRead(request)) return true;
      if (reads >= most()) {
        turnedAway += 1;
        return false;
      }
      reads += 1;
      if (isBusy()) busySince ??= now();
      let isCounted = true;
      const leave = () => {
        if (isCounted) reads -= 1;
        isCounted = false;
        if (!isBusy()) busySince = null;
      };
      const { writeHead } = response;
      response.writeHead = (...given) => {
        leave();
        return writeHead.apply(response, given);
      };
      response.once("close", leave);
      return true;
    },
  };
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${RETRY_AFTER_S}"><title>Tradewind</title><h1>Tradewind is busy right now</h1><p>This page loads again by itself in a moment. Trading goes on meanwhile.</p></html>`;

/** Answers at once, on a line that stays open: a new connection would cost more than the answer. */
export function turnAway(request, response) {
  const more = { "retry-after": String(RETRY_AFTER_S), connection: "keep-alive" };
  const error = "Tradewind is busy right now. Please try again in a moment.";
  if (request.url.startsWith("/api/")) return refuse({ status: 503, code: "overloaded", error, ...more }, response);
  beginAnswer(503, { "content-type": "text/html; charset=utf-8", ...more }, response).end(PAGE);
}
