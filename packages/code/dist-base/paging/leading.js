import { estimateTokens } from '@pith-mcp/paginator';
import { linesBefore } from './cut-points.js';
const maxLines = 20;
/** As many of the lines as fit into `tokens`; undefined if none fits. */
export function leadingOf(file, span, tokens) {
    const begin = linesBefore(file, span.start);
    if (begin >= span.start)
        return undefined;
    const { lines } = file;
    const first = lines.lineAt(begin);
    const count = lines.lineAt(Math.max(begin, span.start - 1)) - first + 1;
    const texts = Array.from({ length: Math.min(count, maxLines) }, (_, at) => lines.text(first + at));
    while (texts.at(-1)?.trim() === '')
        texts.pop();
    const isCut = texts.length === maxLines && count > maxLines;
    const countBefore = texts.length;
    while (texts.length > 0 && estimateTokens(texts.join('\n')) > tokens)
        texts.pop();
    if (texts.length === 0)
        return undefined;
    return {
        startLine: first,
        text: texts.join('\n'),
        ...((isCut || texts.length < countBefore) && { isCut: true }),
    };
}
//# sourceMappingURL=leading.js.map