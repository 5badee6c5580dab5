// The manuals of the large index: Debian packages, where their pages lie, and which of these pages
// say again what others say (then no query has one answer) or are source code.
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const corpusFolder = fileURLToPath(new URL('../.corpus', import.meta.url))
export const manualsFolder = `${corpusFolder}/manuals`

export const trees = [
  {
    package: 'postgresql-doc-15',
    root: 'usr/share/doc/postgresql-doc-15/html',
    leave: /^(?:bookindex|index|release[^/]*)\.html$/,
  },
  {
    package: 'python3.11-doc',
    root: 'usr/share/doc/python3.11/html',
    leave: /^(?:genindex[^/]*|py-modindex|search|index|contents)\.html$|^_|^whatsnew\/changelog/,
  },
  {
    package: 'python-django-doc',
    root: 'usr/share/doc/python-django-doc/html',
    leave: /^(?:genindex[^/]*|py-modindex|search|index|contents)\.html$|^_|^releases\//,
  },
  {
    package: 'nodejs-doc',
    root: 'usr/share/doc/nodejs/api',
    leave: /^(?:all|index)\.html$/,
  },
  {
    package: 'cppreference-doc-en-html',
    root: 'usr/share/cppreference/doc/html/en',
    leave: /^index\.html$/,
  },
  {
    package: 'rust-doc',
    root: 'usr/share/doc/rust-doc/html',
    // `core` and `alloc` hold the pages of `std` once more; `print` is a book on one page.
    leave: /^(?:src|core|alloc|test|proc_macro)\/|(?:^|\/)(?:print|all|help|settings)\.html$/,
  },
]

export const folderOf = (tree) => `${manualsFolder}/${tree.package}`

/** Pages of a tree, as paths below its root, in an order that is the same everywhere. */
export function pagesOf(tree) {
  const root = `${folderOf(tree)}/${tree.root}`
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.html?$/.test(entry.name))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(root.length + 1))
    .filter((path) => !tree.leave.test(path))
    .sort()
}
