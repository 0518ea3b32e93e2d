import { expect, it } from "vitest";
import { readInput } from "./read-input.ts";

const post = (body: BodyInit, type = "application/json", headers: Record<string, string> = {}) =>
  new Request("http://localhost/x", {
    method: "POST",
    body,
    headers: { "content-type": type, ...headers },
    duplex: "half",
  } as RequestInit);

/** Sends what it has, then nothing more, and never ends. */
const stalled = (text: string) => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    cancel: () => {
      isCancelled = true;
    },
  });
  return { body, isCancelled: () => isCancelled };
};

it("a body that does not end is refused after its time, even where it is whole JSON so far", async () => {
  const { body, isCancelled } = stalled('{"name":"Ada"}');
  await expect(readInput(post(body), {}, {}, 20)).rejects.toMatchObject({ code: "timed_out" });
  expect(isCancelled()).toBe(true);
});

it("the type of the body is the one that the endpoint names, and no other", async () => {
  const type = "application/csp-report";
  expect(await readInput(post("{}", type), {}, { mediaType: type })).toEqual({});
  await expect(readInput(post("{}"), {}, { mediaType: type })).rejects.toMatchObject({ code: "unsupported_media" });
  await expect(readInput(post("{}", type), {})).rejects.toMatchObject({ code: "unsupported_media" });
});

it.each<[string, BodyInit, Record<string, string>]>([
  ["UTF-16", new Uint8Array(Buffer.from("\uFEFF{}", "utf16le")), {}],
  ["gzip", new Uint8Array([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]), { "content-encoding": "gzip" }],
  ["an overlong encoding", new Uint8Array([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x7d]), {}],
])("a body in %s is no JSON", async (_, body, headers) => {
  await expect(readInput(post(body, "application/json; charset=utf-16", headers), {})).rejects.toMatchObject({
    code: "invalid_input",
  });
});

it("a mark of byte order is no part of the body", async () => {
  expect(await readInput(post("\uFEFF{}"), {})).toEqual({});
});

it("fields of a POST, PUT or PATCH come in its body alone: one in the address is refused, so that no form of a foreign page calls with it", async () => {
  for (const method of ["POST", "PUT", "PATCH"]) {
    const request = new Request("http://localhost/auth/login?password=Correct-Horse-1", { method });
    await expect(readInput(request, {}), method).rejects.toMatchObject({
      code: "invalid_input",
      message: 'Send "password" in the request body, not in the address.',
    });
  }
  for (const method of ["GET", "DELETE"])
    expect(await readInput(new Request("http://localhost/x?id=7", { method }), {}), method).toEqual({ id: "7" });
});

it("a call whose fields stand in the address does not look at its body", async () => {
  const init = { method: "POST", body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } };
  expect(await readInput(new Request("http://localhost/x?id=7", init), {}, { isInAddress: true })).toEqual({ id: "7" });
});
