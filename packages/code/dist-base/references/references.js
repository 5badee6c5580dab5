import { isTest } from '../access/test-files.js';
import { CodeError } from '../code-error.js';
import { asideOf, hitOf } from '../search/symbol-hit.js';
import { matchingOf, usesIn, withBarrels, } from './uses.js';
/** Symbols with uses after which a page ends, and files. */
const maxSymbols = 100;
const maxFiles = 2_000;
/** Files that may pass a name of several definitions on. */
const maxBarrels = 64;
/** Files that are read at once. */
const readAhead = 64;
const kinds = {
    calls: ['call'],
    implementations: ['extends'],
    tests: ['call', 'extends', 'use'],
};
/** Finds the definitions of a name and what uses it. */
export async function referencesTo({ roots, files, thread }, query, scope, { from = 0, signal, kind }) {
    const { name, holder, file: definer } = readName(query);
    const mentions = await thread.mentions(name, scope, signal);
    const paths = mentions.files.map((real) => ({ real, path: roots.nameOf(real) }));
    const { definers } = mentions;
    const rank = ({ real, path }) => isTest(path) ? 2 : definers.includes(real) ? 0 : 1;
    paths.sort((a, b) => rank(a) - rank(b));
    const read = async (real) => {
        const known = await thread.symbolsOf(real);
        return (known ? files.outlined(real, known) : files.get(real)).catch((error) => {
            if (error instanceof CodeError)
                return undefined;
            throw error;
        });
    };
    const defining = await Promise.all(definers.slice(0, maxFiles).map(read));
    const all = defining
        .flatMap((file) => (file ? definitionsIn(file, name, holder) : []))
        .sort((a, b) => asideOf(a) - asideOf(b));
    const named = definer === undefined ? all : all.filter((hit) => hit.file === definer);
    const definitions = named.length > 0 ? named : all;
    const defined = definitions.map((hit) => hit.file);
    const [first] = defining;
    const matching = holder === undefined ? matchingOf(definitions, first?.language?.name) : 'name';
    const others = all.map((hit) => hit.file).filter((path) => !defined.includes(path));
    const barrels = paths.filter(({ path }) => others.length > 0 && /\b(?:index|__init__)\.\w+$/.test(path));
    const passing = await Promise.all(barrels.slice(0, maxBarrels).map(({ real }) => read(real)));
    const wanted = withBarrels({ name, matching, files: defined, others }, passing);
    const uses = [];
    let symbols = 0;
    let at = from;
    while (at < paths.length && symbols < maxSymbols && at - from < maxFiles) {
        signal?.throwIfAborted();
        const some = paths.slice(at, at + readAhead);
        at += some.length;
        const containing = await thread.containing(name, some.map(({ real }) => real));
        for (const file of await Promise.all(containing.map(read))) {
            const used = file && usesIn(file, wanted);
            if (!used || (kind !== undefined && used.isTest !== (kind === 'tests')))
                continue;
            const usedIn = used.usedIn.filter((one) => kinds[kind ?? 'tests'].includes(one.kind));
            if (usedIn.length === 0 && (kind !== undefined || !used.isImported))
                continue;
            uses.push({ ...used, usedIn });
            symbols += used.usedIn.length;
        }
    }
    return {
        name,
        definitions,
        matching,
        files: uses,
        from,
        ...(at < paths.length && { next: at }),
        total: paths.length,
        account: mentions.account,
    };
}
/** The last name of a name path, the one before it, and the file of an id. */
function readName(query) {
    const [, file, path = ''] = /^(?:(.*)#)?(.*)$/s.exec(query.trim()) ?? [];
    const parts = path
        .replace(/\(.*$/s, '')
        .replace(/\[\d+\]$/, '')
        .split(/::|[./]|->/)
        .filter(Boolean);
    const [holder, name = path] = parts.length > 1 ? parts.slice(-2) : [undefined, parts[0]];
    return { name, ...(holder !== undefined && { holder }), ...(file !== undefined && { file }) };
}
function definitionsIn(file, name, holder) {
    return [...file.symbols, ...file.values]
        .filter((symbol) => symbol.name === name && (holder === undefined || symbol.bare.endsWith(`${holder}/${name}`)))
        .map((symbol) => hitOf(file, symbol));
}
//# sourceMappingURL=references.js.map