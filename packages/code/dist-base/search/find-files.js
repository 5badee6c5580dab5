import { CodeError } from '../code-error.js';
import { globMatcher, isGlob } from './glob.js';
import { defaultMaxFiles, listFiles } from './list-files.js';
/** In characters; longer patterns are rejected, because matching takes time. */
const maxPatternLength = 512;
/**
 * Files that match a pattern, best first: a glob (`src/*.ts`), else a part of a name or path; if
 * nothing matches, files that contain its letters in order.
 *
 * @throws {CodeError} `bad_argument` for an empty, a long or a complex pattern.
 */
export function findFilesIn(roots, pattern, maxFiles = defaultMaxFiles) {
    checkPattern(pattern);
    const plainPattern = pattern.trim().replace(/^\.\//, '');
    const lower = plainPattern.toLowerCase();
    const matchesGlob = isGlob(plainPattern) ? globMatcher(plainPattern) : undefined;
    const isLoose = (name) => matchesGlob ? matchesGlob(name) : hasInOrder(name.toLowerCase(), lower);
    const hasPart = (name) => name.toLowerCase().includes(lower);
    const { files, account } = listFiles(roots, {
        accept(path) {
            const name = roots.nameOf(path);
            return hasPart(name) || isLoose(name);
        },
        // Loose matches do not take the places of better ones: the best kind is limited.
        maxFiles: Number.POSITIVE_INFINITY,
    });
    const all = files.map(roots.nameOf);
    const matches = all.filter(hasPart);
    // A file name may contain glob characters: an exact name wins.
    const isByName = matchesGlob
        ? matches.some((name) => name.includes(plainPattern))
        : matches.length > 0;
    const names = isByName ? rankFiles(matches, lower) : all.filter(isLoose);
    const best = names.length > 0 ? names : rankFiles(matches, lower);
    const isCut = account.isCut || best.length > maxFiles;
    return { names: best.slice(0, maxFiles), account: { ...account, searched: all.length, isCut } };
}
function checkPattern(pattern) {
    const isEmpty = pattern.trim() === '';
    if (isEmpty || pattern.length > maxPatternLength)
        throw new CodeError('bad_argument', isEmpty ? 'The pattern is empty.' : `The pattern has ${pattern.length} characters.`, `Pass a glob or a part of a name, of 1 to ${maxPatternLength} characters.`);
}
function rankFiles(names, lower) {
    const ranked = names.map((name) => ({ name, rank: rankOf(name.toLowerCase(), lower) }));
    ranked.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length);
    return ranked.map(({ name }) => name);
}
function rankOf(path, plainPattern) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (path === plainPattern || name === plainPattern)
        return 0;
    if (path.endsWith(`/${plainPattern}`))
        return 1;
    if (name.replace(/\.[^.]*$/, '') === plainPattern)
        return 2;
    if (name.startsWith(plainPattern))
        return 3;
    if (name.includes(plainPattern))
        return 4;
    return 5;
}
function hasInOrder(text, letters) {
    let at = 0;
    for (const letter of letters) {
        at = text.indexOf(letter, at) + 1;
        if (at === 0)
            return false;
    }
    return letters !== '';
}
//# sourceMappingURL=find-files.js.map