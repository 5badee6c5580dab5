import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import ignore, {} from 'ignore';
import { isInside } from '#base/inside-folder';
import { readBytes } from '../access/read-bytes.js';
import { decodeText } from '../access/read-text.js';
import { isSecret, isSecretFolder } from '../access/secret-files.js';
import { emptyAccount } from './account.js';
export const defaultMaxFiles = 100_000;
/** At most this many directory entries are examined, including skipped ones. */
const maxEntries = 300_000;
const maxRuleBytes = 1_000_000;
const maxDepth = 64;
/** Folders without source code, which are not counted. */
const repositories = new Set(['.git', '.hg', '.svn']);
/** Folders that are skipped even if no `.gitignore` excludes them. */
const foreign = new Set(['node_modules', '__pycache__', '.venv', '.tox']);
/**
 * All files below the roots that `.gitignore` files do not exclude, sorted by folder and name.
 * Links are not followed; secrets are skipped. Blocks its thread: it takes a second for 80,000
 * files.
 */
export function listFiles(roots, options = {}) {
    const { within, accept = () => true, maxFiles = defaultMaxFiles, isOver = () => false } = options;
    const files = new Set();
    const account = emptyAccount();
    let looked = 0;
    for (const root of roots.folders) {
        if (within === undefined)
            walk(root, root, [], 0);
        else if (isInside(within, root))
            walk(root, within, rulesAbove(root, within), 0);
    }
    return { files: [...files], account };
    function walk(root, folder, above, depth) {
        if (depth > maxDepth) {
            account.tooDeep++;
            return;
        }
        if (files.size >= maxFiles || looked >= maxEntries || isOver()) {
            account.isCut = true;
            return;
        }
        const entries = entriesOf(folder);
        const rootLength = root.endsWith(sep) ? root.length : root.length + 1;
        looked += entries.length;
        const rules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
            ? [...above, readRules(folder)]
            : above;
        entries.sort((a, b) => (a.name < b.name ? -1 : 1));
        for (const entry of entries) {
            const path = folder.endsWith(sep) ? folder + entry.name : folder + sep + entry.name;
            const isFolder = entry.isDirectory();
            if (isFolder ? repositories.has(entry.name) : !(entry.isFile() && accept(path)))
                continue;
            const isForeign = isFolder && foreign.has(entry.name);
            const isHidden = isFolder ? isSecretFolder : isSecret;
            if (isForeign || isHidden(path.slice(rootLength)) || isIgnored(path, isFolder, rules))
                account.ignored++;
            else if (isFolder)
                walk(root, path, rules, depth + 1);
            else if (files.size >= maxFiles)
                account.isCut = true;
            else
                files.add(path);
        }
    }
    function entriesOf(folder) {
        try {
            return readdirSync(folder, { withFileTypes: true });
        }
        catch {
            account.unreadable++;
            return [];
        }
    }
    /** No rules for a `.gitignore` that cannot be read. */
    function readRules(folder) {
        let text = '';
        try {
            const path = join(folder, '.gitignore');
            text = decodeText(readBytes(path, Buffer.allocUnsafe(maxRuleBytes)).bytes);
        }
        catch {
            account.unreadable++;
        }
        return { folder, rules: ignore().add(text), mayMean: nameFilter(text) };
    }
    /** The rules of the folders between a root and a folder below it, without the folder itself. */
    function rulesAbove(root, folder) {
        const folders = [];
        for (let at = folder; at !== root && isInside(at, root);) {
            at = dirname(at);
            folders.unshift(at);
        }
        return folders.filter((parent) => existsSync(join(parent, '.gitignore'))).map(readRules);
    }
}
/**
 * The names of files that rules may mean: those that have what is literal in the last part of one.
 * To test all rules takes ten times as long.
 */
function nameFilter(text) {
    const literals = text
        .toLowerCase()
        .split('\n')
        .map((line) => line.trim())
        // A rule for folders: only folders that are not ignored are listed.
        .filter((rule) => rule !== '' && !rule.endsWith('/'))
        .map((rule) => rule.slice(rule.lastIndexOf('/') + 1).replace(/^!/, ''))
        .map((last) => last.replace(/\[[!^]?\]?[^\]]*\]/g, '*').split(/[*?\\]/));
    return (name) => {
        const lower = name.toLowerCase();
        return literals.some((parts) => lower.startsWith(parts[0] ?? '') &&
            lower.endsWith(parts.at(-1) ?? '') &&
            parts.every((part) => lower.includes(part)));
    };
}
/** The rules nearest to a file take precedence. */
function isIgnored(path, isFolder, all) {
    for (const { folder, rules, mayMean } of all.toReversed()) {
        if (!isFolder && !mayMean(path.slice(path.lastIndexOf(sep) + 1)))
            continue;
        const name = path.slice(folder.length + (folder.endsWith(sep) ? 0 : 1)).replaceAll(sep, '/');
        const { ignored, unignored } = rules.test(isFolder ? `${name}/` : name);
        if (ignored)
            return true;
        if (unignored)
            return false;
    }
    return false;
}
//# sourceMappingURL=list-files.js.map