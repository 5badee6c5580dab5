import { termsOf } from '@pith-mcp/scorer';
import { eachName } from '../text/each-name.js';
/** In characters; longer names are data. */
const maxNameLength = 64;
const maxKnown = 100_000;
const termsByName = new Map();
const stems = new Map();
/**
 * The terms of a name: whole in lower case without separators, then the stems of its parts; of a
 * word, its stem. They are kept, because the files of a project share their names.
 */
export function termsOfName(name) {
    const before = termsByName.get(name);
    if (before)
        return before;
    const terms = name.length > maxNameLength ? [] : splitName(name);
    if (termsByName.size >= maxKnown)
        termsByName.clear();
    termsByName.set(name, terms);
    return terms;
}
const humps = /[A-Z]+(?![a-z])\d*|[A-Z]?[a-z\d]+/g;
function splitName(name) {
    if (!/^[\w$]*$/.test(name))
        return termsOf(name);
    // `URLs` is one word.
    const parts = /^[A-Z]{2,}s$/.test(name) ? [name] : (name.match(humps) ?? []);
    const stemmed = parts.map(stemOf);
    return parts.length > 1 ? [parts.join('').toLowerCase(), ...stemmed] : stemmed;
}
function stemOf(part) {
    const before = stems.get(part);
    if (before !== undefined)
        return before;
    const word = part.toLowerCase();
    const stem = termsOf(word)[0] ?? word;
    if (stems.size >= maxKnown)
        stems.clear();
    stems.set(part, stem);
    return stem;
}
/** Words of a description that say nothing about its subject. */
const empty = new Set(`a about also am an and any are as at be been being but by can could did do does doing done each
  either for from had has have having how i if in into is it its just let may me more most must my no
  nor not of off on one onto or other our out over own per should so some such than that the their
  them then there these they this those through to too under up us use used uses using very via was we
  were what when where whether which while who whose why will with within without work works would
  you your`.split(/\s+/));
/** The names in a query that it is about; all of them if they are all without a subject. */
export function wordsOf(query) {
    const words = [];
    eachName(query, (word) => words.push(word));
    const telling = words.filter((word) => !empty.has(word.toLowerCase()));
    return telling.length > 0 ? telling : words;
}
/** The terms of the name of a file, or of its folder if the name says only that it is the main one. */
export function nameOf(path) {
    const [file = '', folder = ''] = path.split('/').reverse();
    const stem = file.replace(/\.[^.]*$/, '').replace(/^_+|_+$/g, '');
    const name = folder !== '' && /^(?:mod|index|init|lib)$/.test(stem) ? folder : stem;
    const [joined = '', ...parts] = termsOfName(name.replace(/[^\p{L}\p{N}]+/gu, '_'));
    return [...new Set(parts.length > 0 ? parts : [joined])];
}
//# sourceMappingURL=words.js.map