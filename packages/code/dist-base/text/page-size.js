import { characterBoundary, lastAtMost, scaleTokens } from '@pith-mcp/paginator';
import { CodeError } from '../code-error.js';
/** In tokens; the maximum also applies to pages measured in other units. */
export const defaultPageTokens = 4_000;
/** Maximum tokens of a page. */
export const maxPageTokens = 20_000;
/** In characters, for any page, because token counts are estimates. */
const maxPageCharacters = 64_000;
const minPageTokens = 50;
/** Names of units, and how many of the unit one stands for. */
const units = [
    [/^(?:t|tokens?|トークン)$/i, 'tokens', 1],
    [/^(?:l|lines?|行)$/i, 'lines', 1],
    [/^(?:b|bytes?|バイト)$/i, 'bytes', 1],
    [/^ki?b$/i, 'bytes', 1024],
];
/** Characters of a size that are parsed. */
const maxSizeLength = 40;
/** `300 lines`, and what separates it from another limit. */
const limitPattern = /([\d_,]*\.?\d+)\s?(\p{L}*)\s*(?:(?:[,、/+]|and\b)\s*|$)/uy;
/**
 * Parse `4000`, `"300 lines"`, `"10 KB"` or both limits, `"500 lines, 10 KB"`. A number without a
 * unit counts `bare`. 0 and larger values mean the maximum.
 *
 * @throws {CodeError} `bad_argument` for an invalid or negative size.
 */
export function readPageSize(size, bare = 'tokens') {
    // Numbers in a form that the pattern does not have, such as 1e21.
    if (typeof size === 'number' && size > maxPageTokens && bare === 'tokens')
        return all;
    const text = String(size)
        .normalize('NFKC')
        .trim()
        .slice(0, maxSizeLength + 1);
    const limits = {};
    limitPattern.lastIndex = 0;
    while (limitPattern.lastIndex < text.length) {
        const [, digits = '', name = ''] = limitPattern.exec(text) ?? [];
        const [, unit, times = 1] = name === '' ? [bare, bare] : (units.find(([names]) => names.test(name)) ?? []);
        const amount = Math.floor(Number(digits.replace(/[_,]/g, '')) * times);
        if (text.length > maxSizeLength || digits === '' || !unit || !Number.isFinite(amount))
            throw badSize(text);
        if (amount > 0)
            limits[unit] = Math.min(amount, limits[unit] ?? amount);
    }
    if (text === '')
        throw badSize(text);
    const { tokens } = limits;
    if (Object.keys(limits).length === 0)
        return all;
    return tokens === undefined
        ? limits
        : { ...limits, tokens: Math.min(Math.max(tokens, minPageTokens), maxPageTokens) };
}
const badSize = (text) => new CodeError('bad_argument', `${JSON.stringify(text)} is not a valid page size.`, 'Pass a number, "300 lines", "10 KB", or "500 lines, 10 KB".');
/** A size as {@link readPageSize} reads it, without blanks: `500l,10240b`. */
export const sizeText = (size) => Object.entries(size)
    .map(([unit, amount]) => `${amount}${unit[0]}`)
    .join(',');
const all = { tokens: maxPageTokens };
/** Tokens as in `estimateTokens`. Lines and bytes are exact at the start of lines. */
export function measureText(text, unit) {
    const { positions, amounts } = scales[unit](text);
    const before = (offset) => {
        const at = lastAtMost(positions.length, (index) => positions[index], offset);
        const start = positions[at];
        const low = amounts[at];
        const next = positions[at + 1];
        if (start === offset || next === undefined)
            return low;
        return low + ((amounts[at + 1] - low) * (offset - start)) / (next - start);
    };
    return {
        /** The amount between two offsets, interpolated within a long line. */
        between: (from, to) => before(to) - before(from),
        /** The last offset up to which the text from `from` has at most `amount`. */
        fitting(from, amount) {
            const limit = before(from) + amount + 1e-9;
            const at = lastAtMost(amounts.length, (index) => amounts[index], limit);
            return Math.max(from, positions[at]);
        },
    };
}
const scales = {
    tokens(text) {
        const { positions, tokens } = scaleTokens(text);
        return { positions, amounts: tokens };
    },
    lines(text) {
        const { positions, amounts } = scaleBy(text, (part) => (part.endsWith('\n') ? 1 : 0));
        // The last line may lack its end.
        const unended = text === '' || text.endsWith('\n') ? 0 : 1;
        return { positions, amounts: [...amounts.slice(0, -1), (amounts.at(-1) ?? 0) + unended] };
    },
    bytes: (text) => scaleBy(text, (part) => Buffer.byteLength(part)),
};
/** Long lines are measured in parts, because pages may cut them. */
const maxPartLength = 1_024;
function scaleBy(text, amountOf) {
    const positions = [0];
    const amounts = [0];
    let sum = 0;
    for (let at = 0; at < text.length;) {
        const newline = text.indexOf('\n', at);
        const lineEnd = newline < 0 ? text.length : newline + 1;
        const end = lineEnd - at <= maxPartLength ? lineEnd : characterBoundary(text, at + maxPartLength);
        sum += amountOf(text.slice(at, end));
        at = end;
        positions.push(at);
        amounts.push(sum);
    }
    return { positions, amounts };
}
/** The maximum end of a page: by its own limits, and by the maximum of tokens. */
export function limitOf(size, measures, from, spent) {
    const ends = Object.entries({ ...size, tokens: (size.tokens ?? maxPageTokens) - spent }).map(([unit, amount]) => measures(unit).fitting(from, amount));
    return Math.min(from + maxPageCharacters, ...ends);
}
//# sourceMappingURL=page-size.js.map