// Rules of this project alone, as selectors of the syntax tree.

/** Refuses what each selector finds, with its sentence. */
const refuse = (entries) => ({
  create: (context) =>
    Object.fromEntries(entries.map(([selector, message]) => [selector, (node) => context.report({ node, message })])),
});

/** Paths to the folder beside the checkout, as text or as a part that is joined. */
const beside = [
  "Literal[value=/(^|(?<!^next\\u002Fdist)\\u002F)shared\\u002F|\\u002Fshared$/]",
  "TemplateElement[value.raw=/(^|\\u002F)shared(\\u002F|$)/]",
  "CallExpression[callee.property.name=/^(join|resolve)$/] > Literal[value='shared']",
].map((selector) => [selector, "Only the recorded stage reads what lies beside the checkout."]);

/** The domain is pure: what it needs to know is given to it. */
const impure = [
  ["CallExpression[callee.object.name='Date'][callee.property.name='now']", "The clock is an input."],
  ["NewExpression[callee.name='Date'][arguments.length=0]", "The clock is an input."],
  ["CallExpression[callee.name='Date']", "The clock is an input."],
  ["CallExpression[callee.object.name='performance']", "The clock is an input."],
  ["CallExpression[callee.object.name='Math'][callee.property.name='random']", "Chance is an input."],
  ["CallExpression[callee.object.name='crypto']", "Chance is an input."],
  ["AwaitExpression", "The domain waits for nothing."],
  ["ForOfStatement[await=true]", "The domain waits for nothing."],
  [":function[async=true]", "The domain waits for nothing."],
  ["ImportExpression", "The domain waits for nothing."],
];

const SERVER = "/lib/server/";

/** One spelling for each import in lib/server: relative within it, from the root where it leaves it. */
const serverImports = {
  create(context) {
    const folders = context.filename.split(SERVER).at(-1).split("/").length - 1;
    const judge = ({ source }) => {
      const name = String(source?.value ?? "");
      const levels = name.split("../").length - 1;
      if (name.startsWith(`@${SERVER}`))
        context.report({ node: source, message: "Within lib/server an import is relative." });
      if (levels > folders) context.report({ node: source, message: "Out of lib/server an import begins with @/." });
    };
    return {
      ImportDeclaration: judge,
      ImportExpression: judge,
      ExportNamedDeclaration: judge,
      ExportAllDeclaration: judge,
    };
  },
};

const plugin = {
  meta: { name: "tradewind" },
  rules: { "nothing-beside": refuse(beside), "pure-domain": refuse(impure), "server-imports": serverImports },
};

export default plugin;
