import { lastAtMost } from '@pith-mcp/paginator';
export function createLines(text) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
        starts.push(at + 1);
    // An empty text after the last newline is not a line.
    if (starts.length > 1 && starts.at(-1) === text.length)
        starts.pop();
    const startOf = (line) => line > starts.length ? text.length : starts[Math.max(1, line) - 1];
    return {
        count: text === '' ? 0 : starts.length,
        lineAt: (offset) => lastAtMost(starts.length, (at) => starts[at], offset) + 1,
        startOf,
        text(line) {
            const start = startOf(line);
            return text.slice(start, Math.min(startOf(line + 1), start + maxLineLength)).trimEnd();
        },
    };
}
const maxLineLength = 1_000;
/** The start of the line of an offset, if only blanks precede the offset. */
export function lineStartOver(text, offset) {
    let at = offset;
    while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t'))
        at--;
    return at === 0 || text[at - 1] === '\n' ? at : undefined;
}
//# sourceMappingURL=lines.js.map