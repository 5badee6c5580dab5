// Pages of the corpus, a question to each, and the section that answers it: its id (and title, where
// lists give only that), the sections a long list has to be opened at, and where it stands in the
// HTML (an element, or all from one element up to the next that `until` names). The questions were
// written from the pages, before any flow was run.
import { corpusPages } from '../corpus/corpus.mjs'
import { corpusFolder } from './trees.mjs'

const pages = [
  {
    page: 'usr/share/doc/postgresql-doc-15/html/sql-createtable.html',
    question: 'create table exclusion constraint using index method operators',
    section: 'SQL-CREATETABLE-EXCLUDE',
    within: ['Parameters'],
    from: 'dt#SQL-CREATETABLE-EXCLUDE',
    until: 'dt',
  },
  {
    page: 'usr/share/doc/postgresql-doc-15/html/sql-select.html',
    question: 'group rows with rollup, cube or grouping sets in a select',
    section: 'SQL-GROUPBY',
    title: 'GROUP BY Clause',
    from: '#SQL-GROUPBY',
  },
  {
    page: 'usr/share/doc/nodejs/api/fs.html',
    question: 'watch a file or directory for changes, recursive and persistent options',
    section: 'fswatchfilename-options-listener',
    title: 'fs.watch(filename[, options][, listener])',
    within: ['Callback API'],
    from: 'h4:has(#fswatchfilename-options-listener)',
    until: 'h4',
  },
  {
    page: 'usr/share/doc/python-django-doc/html/ref/models/querysets.html',
    question: 'lock rows until the end of the transaction, nowait and skip_locked',
    section: 'select-for-update',
    title: 'select_for_update()',
    within: ['QuerySet API', 'Methods that return new QuerySets'],
    from: '#s-select-for-update',
  },
  {
    page: 'usr/share/doc/git-doc/git-rebase.html',
    question: 'rebase commits that begin with fixup! or squash! automatically, autosquash',
    section: 'autosquash-no-autosquash',
    title: '--autosquash, --no-autosquash',
    within: ['OPTIONS'],
    from: 'dt:contains("--autosquash")',
    until: 'dt:contains("--autostash")',
  },
  {
    page: 'usr/share/qt5/doc/qtcore/qstring.html',
    question: 'split a string into substrings wherever a separator occurs, keep empty parts',
    section: 'split',
    within: ['Member Function Documentation'],
    from: 'h3#split',
    until: 'h3',
  },
  {
    page: 'usr/share/doc/rust-doc/html/std/iter/trait.Iterator.html',
    question: 'fold every element of an iterator into an accumulator',
    section: 'method.fold',
    within: ['Provided Methods'],
    from: 'details:has(> summary > #method\\.fold)',
  },
  {
    page: 'usr/share/doc/openjdk-17-jre-headless/api/java.base/java/nio/file/Files.html',
    question: 'walk a file tree with a visitor, maximum number of directory levels, follow links',
    section: 'walkFileTree(java.nio.file.Path,java.util.Set,int,java.nio.file.FileVisitor)',
    within: ['Method Details'],
    from: 'section[id="walkFileTree(java.nio.file.Path,java.util.Set,int,java.nio.file.FileVisitor)"]',
  },
  {
    page: 'usr/share/gtk-doc/html/glib/glib-Hash-Tables.html',
    question: 'remove from a hash table all pairs for which a function returns true',
    section: 'g-hash-table-foreach-remove',
    title: 'g_hash_table_foreach_remove ()',
    within: ['Functions'],
    from: '.refsect2:has(> a[name="g-hash-table-foreach-remove"])',
  },
  {
    page: 'usr/share/cppreference/doc/html/en/cpp/language/lambda.html',
    question: 'capture variables in a lambda by copy or by reference, default capture',
    section: 'Lambda_capture',
    title: 'Lambda capture',
    from: 'h3:has(#Lambda_capture)',
    until: 'h3',
  },
]

const known = new Map(corpusPages().map((page) => [page.path, page]))

export const flowPages = pages.map((page) => {
  const { file, remove } = known.get(page.page)
  return { ...page, file, remove }
})

/** What the server is started with: the folder of PostgreSQL's manual, and the other pages. */
export const flowSources = [
  `${corpusFolder}/usr/share/doc/postgresql-doc-15/html`,
  ...flowPages.map(({ file }) => file).filter((file) => !file.includes('/postgresql-doc-15/')),
]
