import { lineDefinitions } from '../languages/line-definitions.js';
import { listRulesOf } from './read-tree.js';
/** Levels below a statement at which a block of it is looked for: `export`, type, its body. */
const maxBelow = 3;
const callables = new Set([
    'function',
    'method',
    'constructor',
    'accessor',
    'macro',
]);
/**
 * Constants, variables, fields and other definitions outside functions that an outline lacks, with
 * their name paths: those that the statements and members of a file begin.
 */
export function readValues(tree, text, language, definitions) {
    if (!language.values)
        return [];
    const bodies = new Set(definitions.flatMap(({ kind, own, end }) => (callables.has(kind) ? [own, -end] : [])));
    const cursor = tree.walk();
    try {
        const units = statementsOf(cursor, listRulesOf(tree.language, language), bodies);
        return withPaths(lineDefinitions(text, language, definitions, units), definitions);
    }
    finally {
        cursor.delete();
    }
}
/** Statements and members outside functions: start, end, and start of the block. */
function statementsOf(cursor, { lists, isList }, bodies) {
    const units = [];
    const codes = [0];
    const starts = [0];
    // Levels since the last block.
    const below = [0];
    let level = 0;
    for (;;) {
        const code = codes[level];
        const { startIndex, endIndex } = cursor;
        if (code !== 0 && isList(code, cursor))
            units.push(startIndex, endIndex, starts[level]);
        const list = lists[cursor.nodeTypeId] ?? 0;
        const depth = list !== 0 ? 0 : below[level] + 1;
        const isBody = bodies.has(startIndex) && bodies.has(-endIndex);
        if (!isBody && depth <= maxBelow && cursor.gotoFirstChild()) {
            level++;
            codes[level] = list;
            starts[level] = startIndex;
            below[level] = depth;
            continue;
        }
        while (!cursor.gotoNextSibling()) {
            level--;
            if (level < 0 || !cursor.gotoParent())
                return Uint32Array.from(units);
        }
    }
}
/** As definitions below the types and modules around them. */
function withPaths(values, definitions) {
    const around = [];
    let next = 0;
    return values
        .toSorted((a, b) => a.start - b.start || a.at - b.at)
        .map(({ name, kind, start, end }) => {
        for (; next < definitions.length && definitions[next].start < start; next++)
            around.push(next);
        while (around.length > 0 && definitions[around.at(-1)].end <= start)
            around.pop();
        const path = [name];
        for (let up = around.at(-1) ?? -1; up >= 0; up = definitions[up].parent)
            path.unshift(definitions[up].name);
        return { name: path.join('/'), kind, start, own: start, body: end, end, parent: -1 };
    });
}
//# sourceMappingURL=read-values.js.map