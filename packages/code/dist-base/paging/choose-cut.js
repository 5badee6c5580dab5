import { characterBoundary, lastAtMost } from '@pith-mcp/paginator';
import { isInToken } from './cut-points.js';
/** Shares of a page, from its end, that are searched for a cut. */
const windows = [0.3, 0.7, 1];
/** Cost of an empty page, in open statements. */
const worthOfFill = 6;
/** Minimum share of a page that is filled if it can only be cut at a line. */
const minFilled = 0.5;
/**
 * Choose the end of a page between `from` and `limit`: the start of a statement near the end with
 * few open ones; else of a line outside strings and comments; else of any line; else between two
 * characters. Always after `from`.
 */
export function chooseCut(file, cuts, from, limit) {
    for (const window of windows) {
        const best = bestStatement(cuts, Math.max(from, limit - (limit - from) * window), limit);
        if (best > from)
            return best;
    }
    return lineCut(file, from, limit) ?? characterCut(file.text, from, limit);
}
function bestStatement({ positions, depths }, after, limit) {
    let best = -1;
    let bestCost = Number.POSITIVE_INFINITY;
    const last = lastAtMost(positions.length, (at) => positions[at], limit);
    for (let at = last; at >= 0; at--) {
        const position = positions[at];
        if (position <= after)
            break;
        const cost = depths[at] + (worthOfFill * (limit - position)) / (limit - after || 1);
        if (cost < bestCost) {
            bestCost = cost;
            best = position;
        }
    }
    return best;
}
function lineCut(file, from, limit) {
    const page = file.text.slice(from, limit);
    let any;
    for (let at = page.lastIndexOf('\n') + 1; at > 0; at = page.lastIndexOf('\n', at - 2) + 1) {
        if (!isInToken(file, from + at))
            return from + at;
        any ??= from + at;
        if (at < page.length * minFilled)
            break;
    }
    return any;
}
function characterCut(text, from, limit) {
    const boundary = characterBoundary(text, limit);
    if (boundary > from)
        return boundary;
    // A character of many code units that does not fit is kept whole, up to 64 units.
    for (let end = from + 1; end < from + 64 && end < text.length; end++)
        if (characterBoundary(text, end) === end)
            return end;
    return Math.min(text.length, from + 64);
}
//# sourceMappingURL=choose-cut.js.map