import { expect } from "vitest";
import { tokenScopeOf } from "@/lib/contracts/endpoint.ts";
import { ACCESS_TOKEN_SCOPES } from "@/lib/domain/enums.ts";
import { changesSince, lastChange } from "./changes.ts";
import { requestAs, type Answer } from "./request-as.ts";
import { idsOf, MALFORMED_ID, UNKNOWN_ID } from "./own-ids.ts";
import { accessTokenFor, forgetSignIns, stillThere, STRANGERS, tokenOf, type Name, type Person } from "./people.ts";
import { lineOf, nounBefore, parametersOf, type Served } from "./routes.ts";
import { columnNames, neverShown } from "./rows.ts";
import { idFieldsOf, objectIn, sampleOf, type Sample } from "./sample.ts";

/** Who is there: the three who may sign in, what must not leave the server, and which canaries showed to their owner. */
export interface Cast {
  people: Record<Name, Person>;
  secrets: string[];
  /** A test in which no canary ever shows would prove nothing. */
  shownToOwner: Set<string>;
}

/** Canaries in an answer that are not the caller's own, each with the field that it stands in. */
export function foreignCanaries({ people }: Cast, { text }: Pick<Answer, "text">, caller?: Person): string[] {
  const low = text.toLowerCase();
  return Object.values(people)
    .filter(({ userId }) => userId !== caller?.userId)
    .flatMap(({ name, mark, fields }) =>
      [...low.matchAll(new RegExp(`${mark}[0-9a-z]*`, "g"))].map(
        ([found]) => `${name}'s ${fields.get(found) ?? found}`,
      ),
    );
}

/** Public routes that answer administrators for all users, as specified. */
const TELLS_ADMINISTRATORS_ALL = new Set(["GET /logs/tail", "GET /logs/export"]);

const mayKnowAll = (route: Served, caller?: Person) =>
  caller?.name === "admin" && (route.endpoint.access === "admin" || TELLS_ADMINISTRATORS_ALL.has(lineOf(route)));

/** Answers above 499 that say something other than "our fault". */
const ON_PURPOSE = new Set(["unavailable", "broker_unavailable", "not_implemented"]);

/** Inputs whose inner objects are not ours: they may hold more than we read. */
const LOOSE = new Set(["POST /csp-report"]);

/** What holds for every answer, for any caller and any status. */
function judge(cast: Cast, route: Served, answer: Answer, who: string, caller?: Person): void {
  const at = `${who} at ${lineOf(route)} (${answer.status} ${answer.code ?? ""})`;
  const { downloadType, isBare = false } = route.endpoint;
  const isFile = (downloadType !== undefined || isBare) && answer.status < 400;
  const isEmpty = answer.status === 304;
  expect(isFile || isEmpty || answer.isEnvelope, `${at} is answered in the envelope: ${answer.text}`).toBe(true);
  expect(answer.status >= 500 && !ON_PURPOSE.has(answer.code ?? ""), `${at} is not our fault: ${answer.text}`).toBe(
    false,
  );
  const low = answer.text.toLowerCase();
  if (caller && low.includes(caller.mark))
    for (const [canary, field] of caller.fields) if (low.includes(canary)) cast.shownToOwner.add(field);
  if (!mayKnowAll(route, caller)) expect(foreignCanaries(cast, answer, caller), at).toEqual([]);
  expect(
    cast.secrets.filter((secret) => answer.text.includes(secret)),
    `${at} shows what must not leave the server`,
  ).toEqual([]);
}

/** A valid input; of path parameters, an id as the caller comes to it. */
async function inputFor(route: Served, idOf: (noun: string, parameter: string) => Promise<string>): Promise<Sample> {
  const sample = sampleOf(route.endpoint);
  for (const name of parametersOf(route.endpoint)) sample[name] = await idOf(nounBefore(route.endpoint, name), name);
  return sample;
}

export const idsAt = (route: Served, noun: string, parameter: string) => idsOf(noun, parameter, lineOf(route));
export const ownInput = (route: Served, person: Person) =>
  inputFor(route, (noun, parameter) => idsAt(route, noun, parameter).own(person));

/** Ids of the path of which there is someone else's. */
const personalParameters = (route: Served) =>
  parametersOf(route.endpoint).filter((name) => idsAt(route, nounBefore(route.endpoint, name), name).isPersonal);

/** Every principal at one route, each with every kind of id: a refused one gets the answer that is due, and no other user's data. */
export async function checkEntry(cast: Cast, route: Served): Promise<void> {
  await prepare(cast);
  const { people } = cast;
  const { access } = route.endpoint;
  if (access === "public") return allCallersAreTreatedAlike(cast, route);
  for (const [who, { token, status, code }] of Object.entries(STRANGERS)) {
    const answer = await requestAs(route, await token(), await ownInput(route, people.user));
    judge(cast, route, answer, who);
    expect({ who, status: answer.status, code: answer.code }).toEqual({ who, status, code });
  }
  const members = access === "admin" ? [people.admin] : Object.values(people);
  for (const person of Object.values(people).filter((one) => !members.includes(one))) {
    const answer = await requestAs(route, await tokenOf(person), await ownInput(route, person));
    judge(cast, route, answer, person.name, person);
    expect({ who: person.name, status: answer.status, code: answer.code }).toEqual({
      who: person.name,
      status: 403,
      code: "forbidden",
    });
  }
  for (const caller of members) await othersIdsOpenNothing(cast, route, caller, await tokenOf(caller));
  for (const person of members) {
    const answer = await requestAs(route, await tokenOf(person), await ownInput(route, person));
    judge(cast, route, answer, person.name, person);
    expect([401, 403, 404], `${person.name} with an own id: ${answer.text}`).not.toContain(answer.status);
  }
  await tokensOpenTheirScope(cast, route);
}

/** Access tokens of a person's at a route that asks who calls: open is what its contract says, and nothing of others. */
async function tokensOpenTheirScope(cast: Cast, route: Served): Promise<void> {
  await prepare(cast);
  const { people } = cast;
  const needed = tokenScopeOf(route.endpoint);
  if (needed !== null) await othersIdsOpenNothing(cast, route, people.user, await accessTokenFor(people.user, "STEER"));
  for (const person of [people.user, people.admin])
    for (const scope of ACCESS_TOKEN_SCOPES) {
      const input = await ownInput(route, person);
      const token = await accessTokenFor(person, scope);
      const isOpen = needed !== null && (scope === needed || scope === "STEER");
      const before = isOpen ? "" : await lastChange();
      const who = `${person.name}'s ${scope} token`;
      const answer = await requestAs(route, token, input);
      // An administrator's token knows no more than a user's.
      judge(cast, route, answer, who, { ...person, name: "user" });
      expect(answer.text, `${who} opens no page`).not.toMatch(/^set-cookie:/im);
      if (isOpen) {
        expect([401, 403, 404], `${who} with an own id: ${answer.text}`).not.toContain(answer.status);
        continue;
      }
      expect({ who, status: answer.status, code: answer.code }).toEqual({ who, status: 403, code: "forbidden" });
      expect(await changesSince(before, person), `${who} changed something`).toEqual([]);
    }
}

async function prepare(cast: Cast): Promise<void> {
  for (const person of Object.values(cast.people)) cast.people[person.name] = await stillThere(person);
  await forgetSignIns(Object.values(cast.people));
  cast.secrets = await neverShown();
}

/** A public route knows no caller: tokens make no difference. */
async function allCallersAreTreatedAlike(cast: Cast, route: Served): Promise<void> {
  const { people } = cast;
  const callers = [
    ...Object.entries(STRANGERS).map(([who, { token }]) => ({ who, token, caller: undefined })),
    ...Object.values(people).map((caller) => ({ who: caller.name, token: () => tokenOf(caller), caller })),
    ...ACCESS_TOKEN_SCOPES.map((scope) => ({
      who: `user's ${scope} token`,
      token: () => accessTokenFor(people.user, scope),
      caller: people.user,
    })),
  ];
  const answers = await Promise.all(
    callers.map(async ({ who, token, caller }) => {
      const answer = await requestAs(route, await token(), await ownInput(route, people.user));
      judge(cast, route, answer, who, caller);
      return answer.status;
    }),
  );
  expect(new Set(answers).size, `${lineOf(route)}: ${answers.join(" ")}`).toBe(1);
}

/** Ids of other users, of no user, and no ids at all: in the path 404 (400 where it is no id), elsewhere without effect. */
async function othersIdsOpenNothing(cast: Cast, route: Served, caller: Person, token: string): Promise<void> {
  const { people } = cast;
  const isOfAll = route.endpoint.access === "admin";
  const parameters = parametersOf(route.endpoint);
  const personal = isOfAll ? [] : personalParameters(route);
  const ask = async (who: string, input: Sample) => {
    const answer = await requestAs(route, token, input);
    judge(cast, route, answer, `${caller.name} with ${who}`, caller);
    return { who, status: answer.status };
  };
  for (const name of parameters) {
    const own = await ownInput(route, caller);
    if (route.endpoint.input.safeParse({ ...own, [name]: UNKNOWN_ID() }).success) {
      const who = `an unknown ${name}`;
      expect(await ask(who, { ...own, [name]: UNKNOWN_ID() })).toEqual({ who, status: 404 });
    }
    const malformed = { ...own, [name]: MALFORMED_ID };
    const who = `a malformed ${name}`;
    const status = route.endpoint.input.safeParse(malformed).success ? 404 : 400;
    expect(await ask(who, malformed)).toEqual({ who, status });
  }
  const fields = isOfAll ? [] : idFieldsOf(route.endpoint, parameters);
  if (personal.length === 0 && fields.length === 0) return;
  for (const victim of Object.values(people).filter((person) => person !== caller)) {
    for (const name of personal) {
      const id = await idsAt(route, nounBefore(route.endpoint, name), name).own(victim);
      const before = await lastChange();
      const who = `the ${name} of ${victim.name}`;
      expect(await ask(who, { ...(await ownInput(route, caller)), [name]: id })).toEqual({ who, status: 404 });
      expect(await changesSince(before, victim), `${who} changed something of theirs`).toEqual([]);
    }
    for (const { name, noun, valueOf } of fields) {
      const id = await idsAt(route, noun, name).own(victim);
      const before = await lastChange();
      const own = await ownInput(route, caller);
      const onlyPath = Object.fromEntries(parameters.map((parameter) => [parameter, own[parameter]]));
      const isValid = (input: Sample) => route.endpoint.input.safeParse(input).success;
      const input = [own, onlyPath].map((one) => ({ ...one, [name]: valueOf(id) })).find(isValid);
      if (!input) throw new Error(`${lineOf(route)} could not be tried with another user's ${name}`);
      await ask(`the ${name} of ${victim.name}`, input);
      expect(await changesSince(before, victim), `${name} of ${victim.name} changed something of theirs`).toEqual([]);
    }
  }
}

/** A valid input with every column of the database beside it, at the top and inside, is refused and writes nothing. */
export async function checkSmuggling(cast: Cast, route: Served): Promise<void> {
  await prepare(cast);
  const { people } = cast;
  const input = await ownInput(route, people.admin);
  const extra = columnNames().filter((name) => !(name in (objectIn(route.endpoint.input)?.shape ?? {})));
  expect(extra).toContain("passwordHash");
  const token = await tokenOf(people.admin);
  const before = await lastChange();
  const hostile = Object.fromEntries(extra.map((name) => [name, valueToSmuggle(name)]));
  const answer = await requestAs(route, token, { ...input, ...hostile });
  expect(answer.status, answer.text).toBe(400);
  const refused = new Set(answer.issues.map(({ path }) => path));
  expect(extra.filter((name) => !refused.has(name))).toEqual([]);
  for (const [name, value] of LOOSE.has(lineOf(route)) ? [] : nestedObjects(input)) {
    const inner = await requestAs(route, token, {
      ...input,
      [name]: { ...value, role: "ADMIN", userId: UNKNOWN_ID() },
    });
    expect({ name, status: inner.status }).toEqual({ name, status: 400 });
  }
  expect(await changesSince(before)).toEqual([]);
}

const nestedObjects = (input: Sample) =>
  Object.entries(input).filter(
    (entry): entry is [string, object] => typeof entry[1] === "object" && entry[1] !== null && !Array.isArray(entry[1]),
  );

function valueToSmuggle(name: string): unknown {
  if (name === "role") return "ADMIN";
  if (name === "status") return "ACTIVE";
  if (/(^id|Id)$/.test(name)) return UNKNOWN_ID();
  return /At$/.test(name) ? "2026-11-20T15:00:00.000Z" : 1;
}
