import { escapePattern } from '#base/escape-pattern';
/** At most this many occurrences of a file are looked at. */
const maxInFile = 2_000;
/** The occurrences of an identifier in code. */
export function occurrencesOf(text, name, language) {
    const found = [];
    for (const match of text.matchAll(patternOf(name, language))) {
        if (match[1] === undefined)
            continue;
        const start = match.index;
        const end = start + name.length;
        const before = text.slice(Math.max(0, start - 40), start);
        const after = text.slice(end, end + 60);
        const isKey = /^\s*:(?![:=])/.test(after) && /[{,(]\s*$/.test(before);
        found.push({
            start,
            form: isImport(text, start) ? 'import' : isCall(before, after) ? 'call' : 'use',
            isMember: /(?:[^.]\.|\?\.|->|::)\s*$/.test(before) || /^\.$/.test(before),
            isKey,
            isDefinition: /\b(?:function\*?|class|interface|type|enum|def|func|fn|fun|struct|trait|namespace|const|let|var|val)\s+$/.test(before),
            isLocal: isLocal(before, text.slice(end, end + 300)),
        });
        if (found.length === maxInFile)
            break;
    }
    return found;
}
const isCall = (before, after) => /^\s*(?:<[^<>;{}]{0,50}>\s*)?(?:\?\.)?\(/.test(after) || /\bnew\s+(?:[\w$]+\.)*$/.test(before);
/** `const name`, `const { name } =`, `(name) =>`, `function f(a, name: T) {`. */
const isLocal = (before, after) => /\b(?:const|let|var)\s+(?:[{[][^=;]*)?$/.test(before) ||
    (/[({,]\s*(?:\.\.\.)?$/.test(before) &&
        /^\??\s*(?:[,:=][^(){}]{0,200})?\}?[^(){}]{0,100}\)\s*(?::[^={;()]{0,100})?(?:=>|\{)/.test(after));
/** True inside a statement that imports names; one of several lines counts as far as its brace. */
function isImport(text, at) {
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
    if (/^\s*(?:import|from|use|using|require|#\s*include|export\s+\{|export\s+\*)\b/.test(line))
        return true;
    const open = text.slice(Math.max(0, at - 2_000), at);
    const brace = Math.max(open.lastIndexOf('{'), open.lastIndexOf('('));
    if (brace < 0 || /[;})]/.test(open.slice(brace)))
        return false;
    const head = open.slice(open.lastIndexOf('\n', brace) + 1, brace);
    return /^\s*(?:import\b[^;=]*|export\s*(?:type\s*)?|from\s+\S+\s+import\s*|(?:pub\s+)?use\b[^;]*)$/.test(head);
}
const hashed = new Set(['python', 'ruby', 'bash', 'php']);
/** A single quotation mark is of one character, or of a lifetime. */
const ofCharacters = new Set([
    'c',
    'cpp',
    'csharp',
    'go',
    'java',
    'kotlin',
    'rust',
    'scala',
    'swift',
]);
/** Matches comments and texts, and outside them the name, in a group. */
function patternOf(name, language) {
    const { name: lang } = language;
    const comments = [
        ...(lang === 'python' || lang === 'ruby' || lang === 'bash' || lang === 'lua'
            ? []
            : [String.raw `\/\*[\s\S]*?\*\/`, String.raw `\/\/[^\n]*`]),
        ...(hashed.has(lang) ? [String.raw `(?<![\w$&])#[^\n]*`] : []),
        ...(lang === 'lua' ? [String.raw `--[^\n]*`] : []),
    ];
    const texts = [
        ...(lang === 'python' ? [String.raw `"""[\s\S]*?"""`, String.raw `'''[\s\S]*?'''`] : []),
        ...(lang === 'go' ? ['`[^`]*`'] : []),
        String.raw `"(?:[^"\\\n]|\\[\s\S])*"`,
        ofCharacters.has(lang)
            ? String.raw `'(?:[^'\\\n]|\\[^\n]{1,10})'`
            : String.raw `'(?:[^'\\\n]|\\[\s\S])*'`,
    ];
    // Interpolated texts have code in them.
    const opaque = lang === 'bash' || lang === 'ruby' || lang === 'php' ? [texts.at(-1)] : texts;
    return new RegExp([...comments, ...opaque, `(?<![\\w$])(${escapePattern(name)})(?![\\w$])`].join('|'), 'g');
}
//# sourceMappingURL=occurrences.js.map