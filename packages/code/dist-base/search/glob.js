import { CodeError } from '../code-error.js';
/**
 * Characters that one glob may expand to and compare, over all paths of a listing. Patterns are
 * untrusted; this is some seconds, and 2,000 for each of 100,000 paths.
 */
const maxSteps = 200_000_000;
/** Alternatives of one pattern. */
const maxAlternatives = 64;
/** Count the steps of one pattern. */
function stepsOf(pattern, limit = maxSteps) {
    let total = 0;
    return (steps) => {
        total += steps;
        if (total > limit)
            throw tooComplex(pattern, 'takes too many steps to match');
    };
}
const tooComplex = (pattern, why) => new CodeError('bad_argument', `The pattern ${JSON.stringify(pattern.slice(0, 60))} ${why}.`, 'Pass a simpler glob, or a part of a name.');
export const isGlob = (pattern) => /[*?[\]{}]/.test(pattern);
/**
 * Create a matcher for a glob: `*` and `?` within a name, `**` across folders, `[a-z]`, `{a,b}`.
 * Ignores case; a pattern without `/` matches the file name only. The steps for a path are at most
 * proportional to the lengths of path and alternatives.
 *
 * @throws {CodeError} `bad_argument` for more than 64 alternatives, and when all paths together
 * take too many steps.
 */
export function globMatcher(pattern, count = stepsOf(pattern)) {
    const isName = !pattern.includes('/');
    const alternatives = expandBraces(pattern.toLowerCase(), count).map((alternative) => alternative.split('/').map(compileSegment));
    return (path) => {
        const parts = path.toLowerCase().split('/');
        const compared = isName ? parts.slice(-1) : parts;
        return alternatives.some((segments) => matchAll(segments, compared, count, {
            matches: (segment, name) => matchSegment(segment, name, count),
            isAny: (segment) => segment === anyFolders,
        }));
    };
}
/** The patterns that a pattern with braces stands for; the innermost braces first. */
function expandBraces(pattern, count) {
    const expanded = [];
    const stack = [pattern];
    for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
        count(current.length + 1);
        const [braces, inner = ''] = /\{([^{}]*)\}/.exec(current) ?? [];
        if (braces === undefined || inner === '') {
            expanded.push(current);
            continue;
        }
        const parts = inner.split(',');
        if (expanded.length + stack.length + parts.length > maxAlternatives)
            throw tooComplex(pattern, `has more than ${maxAlternatives} alternatives`);
        const at = current.indexOf(braces);
        const after = current.slice(at + braces.length);
        for (const part of parts.reverse())
            stack.push(current.slice(0, at) + part + after);
    }
    return expanded;
}
const anyFolders = Symbol('**');
const anySigns = '*';
function compileSegment(text) {
    if (text === '**')
        return anyFolders;
    const signs = [];
    const lastClose = text.lastIndexOf(']');
    for (let at = 0; at < text.length; at++) {
        const char = text[at];
        const close = char === '[' && at + 2 <= lastClose ? text.indexOf(']', at + 2) : -1;
        if (char === '*') {
            if (signs.at(-1) !== anySigns)
                signs.push(anySigns);
        }
        else if (char === '?')
            signs.push({ matches: () => true, cost: 1 });
        else if (close > 0) {
            signs.push({ matches: charClass(text.slice(at + 1, close)), cost: close - at });
            at = close;
        }
        else
            signs.push({ matches: (input) => input === char, cost: 1 });
    }
    return signs;
}
function charClass(text) {
    const isNot = /^[!^]/.test(text);
    const set = isNot ? text.slice(1) : text;
    const has = (char) => {
        for (let at = 0; at < set.length; at++) {
            const first = set[at];
            const last = set[at + 1] === '-' ? set[at + 2] : undefined;
            if (last !== undefined ? char >= first && char <= last : char === first)
                return true;
            if (last !== undefined)
                at += 2;
        }
        return false;
    };
    return (char) => has(char) !== isNot;
}
const matchSegment = (segment, name, count) => segment !== anyFolders &&
    matchAll(segment, [...name], count, {
        matches(sign, char) {
            if (sign === anySigns)
                return false;
            count(sign.cost);
            return sign.matches(char);
        },
        isAny: (sign) => sign === anySigns,
    });
/**
 * Match a pattern against items, where a wildcard stands for any number of items. Backtracks to the
 * last wildcard only.
 */
function matchAll(signs, items, count, { matches, isAny }) {
    let sign = 0;
    let item = 0;
    let any = -1;
    let anyEnd = 0;
    while (item < items.length) {
        count(1);
        const current = signs[sign];
        if (current !== undefined && isAny(current)) {
            any = sign++;
            anyEnd = item;
        }
        else if (current !== undefined && matches(current, items[item])) {
            sign++;
            item++;
        }
        else if (any >= 0) {
            sign = any + 1;
            item = ++anyEnd;
        }
        else
            return false;
    }
    while (sign < signs.length && isAny(signs[sign]))
        sign++;
    return sign === signs.length;
}
//# sourceMappingURL=glob.js.map