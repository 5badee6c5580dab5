import { estimateTokens } from '@pith-mcp/paginator';
import { unitsAround } from './cut-points.js';
const maxSignatureLines = 10;
const maxScopes = 8;
const maxLineLength = 160;
/** Share of a page that may be repeated. */
export const maxRepeated = 0.2;
/**
 * The context of a page that begins at `position`: the signature, and the first lines of open
 * statements and blocks. If it exceeds `tokens`, the scopes in the middle are left out first, then
 * the signature except for its first line.
 */
export function breadcrumbs(file, span, position, tokens) {
    if (position <= span.start)
        return [];
    const signature = signatureLines(file, span, position);
    const last = signature.at(-1) ?? 0;
    const scopes = scopeLines(file, span, position).filter((line) => line > last);
    const first = file.lines.lineAt(span.start);
    const tries = [
        [...signature, ...shortened(scopes, maxScopes)],
        [first, ...shortened(scopes, maxScopes)],
        [first, ...shortened(scopes, 3)],
        [first],
    ];
    for (const lines of tries) {
        const crumbs = lines.map((line) => crumbOf(file, line));
        if (crumbs.reduce((sum, { text }) => sum + estimateTokens(text) + 3, 0) <= tokens)
            return withCuts(crumbs, file.lines.lineAt(position));
    }
    return [];
}
function signatureLines({ lines }, span, position) {
    const first = lines.lineAt(span.start);
    const last = Math.min(lines.lineAt(Math.max(span.start, span.body)), lines.lineAt(position) - 1);
    const count = Math.min(Math.max(1, last - first + 1), maxSignatureLines);
    return Array.from({ length: count }, (_, index) => first + index);
}
function scopeLines(file, span, position) {
    const { lines, text } = file;
    const here = lines.lineAt(position);
    const all = unitsAround(file, span, position).flatMap(({ start, block }) => {
        if (block === undefined)
            return [lines.lineAt(start)];
        // A block may open on a line below its statement; an `else` opens another block.
        let before = block - 1;
        while (before > start && /\s/.test(text[before]))
            before--;
        return [lines.lineAt(start), lines.lineAt(before)];
    });
    return [...new Set(all)].filter((line) => line < here).sort((a, b) => a - b);
}
/** The outermost and innermost lines. */
function shortened(lines, limit) {
    if (lines.length <= limit)
        return lines;
    const outer = Math.floor(limit / 3);
    return [...lines.slice(0, outer), ...lines.slice(outer - limit)];
}
function crumbOf({ lines }, line) {
    const text = lines.text(line);
    return { line, text: text.length > maxLineLength ? `${text.slice(0, maxLineLength)} …` : text };
}
const withCuts = (crumbs, here) => crumbs.map((crumb, index) => (crumbs[index + 1]?.line ?? here) > crumb.line + 1 ? { ...crumb, isCut: true } : crumb);
//# sourceMappingURL=breadcrumbs.js.map