const maxLength = 160;
export const listedSymbol = ({ lines, text }, symbol) => ({
    path: symbol.path,
    kind: symbol.kind,
    signature: firstLines(text, symbol),
    startLine: lines.lineAt(symbol.start),
    endLine: lines.lineAt(Math.max(symbol.start, symbol.end - 1)),
});
/** The header of a symbol without annotations, on one line of at most 160 characters. */
export function firstLines(text, symbol) {
    const { body, end } = symbol;
    const start = behindAnnotations(text, symbol);
    const head = text.slice(start, Math.min(body > start ? body : end, start + 4 * maxLength));
    const line = head
        .replace(/(?:^|\s)(?:#|\/\/) .*$/gm, '')
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/[\s{:=]+$/, '');
    return line.length > maxLength ? `${line.slice(0, maxLength - 2)} …` : line;
}
/** Annotations of fewer characters are shown. */
const maxShown = 40;
/** Annotations are read this far. */
const maxAnnotations = 8_000;
/** Where a definition goes on behind `@A(…)`, `[A(…)]` and `#[a(…)]`. */
function behindAnnotations(text, { start, end }) {
    const head = text.slice(start, Math.min(end, start + maxAnnotations));
    const next = /\s*(?:@(?!interface\b)[\w.:]+\s*(?=(\()?)|(?=(#?!?\[))|\/\/.*)/y;
    let at = 0;
    for (;;) {
        next.lastIndex = at;
        const match = next.exec(head);
        if (!match)
            break;
        const from = match.index + match[0].length;
        const close = match[1] || match[2] ? closing(head, from) : from;
        // `[a]() {}` is a member.
        if (close < 0 || (match[2] && /^\s*[(=:?]/.test(head.slice(close, close + 40))))
            break;
        at = close;
    }
    return at > maxShown ? start + at : start;
}
/** The offset behind the bracket that closes the first one, or -1; strings count for nothing. */
function closing(text, from) {
    let depth = 0;
    const signs = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[()[\]{}]/g;
    signs.lastIndex = from;
    for (let match = signs.exec(text); match; match = signs.exec(text)) {
        if (/^[([{]/.test(match[0]))
            depth++;
        else if (/^[)\]}]/.test(match[0]) && --depth === 0)
            return signs.lastIndex;
    }
    return -1;
}
//# sourceMappingURL=signature.js.map