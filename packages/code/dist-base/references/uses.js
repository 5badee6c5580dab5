import { escapePattern } from '#base/escape-pattern';
import { isTest } from '../access/test-files.js';
import { importsOf, isFileOf, targetOf } from './imports.js';
import { occurrencesOf } from './occurrences.js';
/** Languages whose files name what they take from others. */
const importing = new Set(['javascript', 'typescript', 'tsx', 'python']);
/** `import` if the definitions are not members and their language imports by name. */
export const matchingOf = (definitions, language) => language !== undefined &&
    importing.has(language) &&
    definitions.some(({ path }) => !path.includes('/'))
    ? 'import'
    : 'name';
/** The uses of a name in a file, by the symbols around them. */
export function usesIn(file, wanted) {
    const { language, symbols, text, lines } = file;
    if (!language)
        return undefined;
    const { name, matching } = wanted;
    const isByName = matching === 'name';
    const isPython = language.name === 'python';
    const { specifiers, aliases } = importsOf(text, name, isPython);
    if (!isByName && !mayMean(specifiers, file, wanted, isPython))
        return undefined;
    const all = [name, ...(isByName ? [] : new Set(aliases))].flatMap((each) => occurrencesOf(text, each, language));
    const isImported = all.some(({ form }) => form === 'import');
    const isDefiner = wanted.files.includes(file.path);
    const isTaken = (occurrence) => isByImport(occurrence, file, wanted, isPython);
    const takesAll = all.some((occurrence) => occurrence.isMember && isTaken(occurrence));
    if (!isByName && !isImported && !isDefiner && !takesAll)
        return undefined;
    const takesName = isImported || isDefiner;
    const shadows = isByName ? [] : shadowsOf(text, name, all);
    const groups = new Map();
    for (const occurrence of all) {
        const { start, form } = occurrence;
        if (form === 'import' || occurrence.isDefinition)
            continue;
        if (!isByName && !(isTaken(occurrence) && (occurrence.isMember || takesName)))
            continue;
        if (shadows.some((span) => span.start <= start && start < span.end))
            continue;
        const around = innermost(symbols, start);
        if (around && (isItsName(around, name, start, text) || around.name === `~${name}`))
            continue;
        const kind = around && isBase(around, start, text) ? 'extends' : form;
        const key = `${around?.path ?? ''} ${kind === 'extends'}`;
        const group = groups.get(key) ?? {
            ...(around && { symbol: around.path }),
            lines: new Set(),
            kind,
        };
        group.lines.add(lines.lineAt(start));
        if (kind === 'call')
            group.kind = 'call';
        groups.set(key, group);
    }
    if (groups.size === 0 && !isImported)
        return undefined;
    return {
        file: file.path,
        isTest: isTest(file.path),
        isImported,
        usedIn: [...groups.values()].map((group) => ({
            ...group,
            lines: [...group.lines].sort((one, other) => one - other),
        })),
    };
}
/** False if all imports of a file are of another definition with the name. */
function mayMean(specifiers, { path, symbols }, { name, files, others }, isPython) {
    if (specifiers.length === 0) {
        const definesAnother = others.includes(path) && !files.includes(path);
        return !definesAnother || !symbols.some((symbol) => symbol.path === name);
    }
    return specifiers.some((specifier) => {
        const target = targetOf(specifier, path, isPython);
        if (target === undefined || files.some((file) => isFileOf(target, file, isPython)))
            return true;
        return !others.some((file) => isFileOf(target, file, isPython));
    });
}
/** With the files that only pass on other definitions counted as theirs; barrels may be chained. */
export function withBarrels(wanted, files) {
    let all = wanted;
    for (let turn = 0; turn < 3; turn++)
        for (const file of files) {
            const isPython = file?.language?.name === 'python';
            if (!file || all.others.includes(file.path) || all.files.includes(file.path))
                continue;
            const { specifiers } = importsOf(file.text, wanted.name, isPython);
            if (specifiers.length > 0 && !mayMean(specifiers, file, all, isPython))
                all = { ...all, others: [...all.others, file.path] };
        }
    return all;
}
/** The blocks in which a variable or parameter has the name, at most. */
const maxShadows = 50;
/** Blocks in which the name is that of a variable or a parameter. */
function shadowsOf(text, name, all) {
    const spans = [];
    for (const { start, isLocal, form } of all) {
        if (!isLocal || form === 'import' || spans.length === maxShadows)
            continue;
        // A definition at the beginning of a line is that of the file.
        const isTop = /(?:^|\n)(?:export\s+)?(?:const|let|var)\s+$/.test(text.slice(Math.max(0, start - 30), start));
        if (!isTop)
            spans.push({ start, end: blockEnd(text, start + name.length) });
    }
    return spans;
}
/** The end of the block around or behind a place, by its braces. */
function blockEnd(text, from) {
    let depth = 0;
    const isBehind = /^[^{};]{0,300}?(?:=>|\))\s*(?::[^={;]{0,100})?\{/.test(text.slice(from, from + 400));
    for (let at = from; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === 123)
            depth++;
        else if (code === 125 && --depth < (isBehind ? 1 : 0))
            return at;
    }
    return text.length;
}
/** `module.name` counts, where the file imports the module as a whole, and it may have the name. */
function isByImport({ isMember, isKey, start }, { text, path }, { files, others }, isPython) {
    if (isKey || !isMember)
        return !isKey;
    const holder = /([\w$]+)\s*\.\s*$/.exec(text.slice(Math.max(0, start - 80), start))?.[1];
    const specifier = holder === undefined ? undefined : moduleOf(text, holder, isPython);
    if (specifier === undefined)
        return false;
    const target = targetOf(specifier, path, isPython);
    const isOf = (file) => target !== undefined && isFileOf(target, file, isPython);
    return files.some(isOf) || (!others.some(isOf) && (target !== undefined || others.length === 0));
}
/** The module that a name of the file stands for as a whole. */
function moduleOf(text, name, isPython) {
    const plain = escapePattern(name);
    if (!isPython)
        return new RegExp(String.raw `(?:import\s+(?:type\s+)?\*\s+as\s+${plain}\s+from\s*|import\s+${plain}\s+from\s*|\b${plain}\s*=\s*require\(\s*)['"]([^'"\n]+)`).exec(text)?.[1];
    const from = new RegExp(String.raw `^\s*from\s+(\S+)\s+import\s+[^\n]*\b${plain}\b`, 'm').exec(text);
    if (from)
        return `${from[1]}${/\.$/.test(from[1]) ? '' : '.'}${name}`;
    const whole = new RegExp(String.raw `^\s*import\s+(?:[^\n]*[ ,])?(?:([\w.]+)\s+as\s+${plain}|([\w.]*\b${plain}))\b`, 'm').exec(text);
    return whole?.[1] ?? whole?.[2];
}
/** Symbols are in the order of the file, parents before children. */
function innermost(symbols, at) {
    let low = 0;
    let high = symbols.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (symbols[middle].start <= at)
            low = middle + 1;
        else
            high = middle;
    }
    for (let index = low - 1; index >= 0; index = symbols[index].parent) {
        const symbol = symbols[index];
        if (symbol.end > at)
            return symbol;
    }
    return undefined;
}
/** True for the name in its own definition. */
const isItsName = (symbol, name, at, text) => symbol.name === name &&
    at < Math.max(symbol.body, symbol.start + 1) &&
    text.slice(symbol.start, at).lastIndexOf(name) < 0;
const types = new Set([
    'class',
    'interface',
    'struct',
    'enum',
    'impl',
    'extension',
    'type',
    'module',
]);
/** True in the header of a type, behind its name: `class A extends B`, `impl B for A`. */
function isBase({ kind, start, body, name }, at, text) {
    if (!types.has(kind) || at >= body)
        return false;
    const before = text.slice(start, at);
    if (kind === 'impl')
        return /\bfor\b/.test(text.slice(at, body));
    const behind = before.slice(before.indexOf(name) + name.length);
    // Arguments of generic types are no bases.
    const opened = behind.match(/<(?!\s)/g)?.length ?? 0;
    const closed = behind.match(/(?<![=-])>/g)?.length ?? 0;
    return (before.includes(name) &&
        opened <= closed &&
        /\b(?:extends|implements|with|include)\b|[:(]|<\s/.test(behind));
}
//# sourceMappingURL=uses.js.map