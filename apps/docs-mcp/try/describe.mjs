import { lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { createCode } from '@pith-mcp/code'
import { declarationAt } from '@pith-mcp/docs'

// ../../packages/base/src/inside-folder.ts
/** True if `path` is the folder or below it; both are real paths. */
function isInside(path, folder) {
  const relation = relative(folder, path)
  return !(relation === '..' || relation.startsWith(`..${sep}`) || isAbsolute(relation))
}
// src/declarations/doc-comment.ts
/** In characters: of one comment. */
const maxComment = 4e3
/** The documentation comment that ends above a line, counted from 1, as Markdown; empty without one. */
function commentAbove(lines, line) {
  let end = line - 2
  while (/^\s*(?:@\w|$)/.test(lines[end] ?? '-')) end--
  const last = lines[end] ?? ''
  if (!/\*\/\s*$/.test(last)) return ''
  let start = end
  while (start > 0 && !/\/\*/.test(lines[start] ?? '')) start--
  const text = lines.slice(start, end + 1).join('\n')
  return /\/\*\*/.test(text) ? commentText(text) : ''
}
function commentText(comment) {
  const [, inner = ''] = /\/\*\*([\s\S]*?)\*\//.exec(comment) ?? []
  const text = inner
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .replace(
      /\{@(?:link|linkcode|linkplain|inheritDoc)\s*([^}|\s]*)(?:[|\s]([^}]*))?\}/g,
      (_, name, label) => (label ?? '').trim() || name,
    )
    .replace(/^@(?:example|remarks|description)[^\S\n]*/gm, '')
    .replace(
      /^@(param|property|returns?|throws|deprecated|default|since|see|typeParam|template)\b[^\S\n]*(.*)/gm,
      '- *$1* $2',
    )
    .replace(
      /^@(?:internal|alpha|beta|public|packageDocumentation|module|license|author)\b.*$/gm,
      '',
    )
    .trim()
  return withoutHeadings(short(text))
}
/** The docstring in the lines of a definition of Python; empty without one. */
function docstringIn(lines) {
  const at = lines.findIndex((line) => /^\s*[rRuU]?("""|'''|"(?!")|'(?!'))/.test(line))
  const before = lines.slice(0, Math.max(0, at)).join('\n').trimEnd()
  if (at < 0 || (at > 0 && !/:\s*(?:#.*)?$/.test(before))) return ''
  const text = lines.slice(at).join('\n')
  const [, , inner = ''] = /^\s*[rRuU]?("""|'''|"|')([\s\S]*?)\1/.exec(text) ?? []
  const [first = '', ...rest] = inner.split('\n')
  const indents = rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const indent = Math.min(...indents, 200)
  const dedented = [first.trim(), ...rest.map((line) => line.slice(indent).trimEnd())].join('\n')
  return withoutHeadings(short(dedented.trim()))
}
const short = (text) =>
  text.length > maxComment
    ? `${text.slice(0, maxComment)}… (${text.length - maxComment} more characters in the file)`
    : text
/** Only exported names are sections. */
const withoutHeadings = (text) =>
  text.replace(/^ {0,3}#{1,6}\s+(.*)$/gm, '**$1**').replace(/^ {0,3}(?:=+|-+)$/gm, '')
// src/declarations/signature-of.ts
/** In characters. */
const maxSignature = 600
/** A declaration on one line, cut at 600 characters. */
function signatureOf(text) {
  const line = text
    .slice(0, 4 * maxSignature)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*[;{:,]$/, '')
  return line.length > maxSignature ? `${line.slice(0, maxSignature)} …` : line
}
// src/declarations/python-declarations.ts
const maxNames$1 = 4e3
/** The public definitions of modules, under the shortest name that a package gives them. */
async function pythonDeclarations(modules, reader) {
  const names = /* @__PURE__ */ new Map()
  const all = []
  let omitted = 0
  for (const { name: module, file } of modules) {
    const text = await reader.textOf(file)
    const outline = text === void 0 ? void 0 : await reader.code.outline(file).catch(() => void 0)
    if (text === void 0 || !outline) {
      omitted++
      continue
    }
    const lines = text.split('\n')
    if (/(?:^|\/)__init__\.pyi?$/.test(file)) {
      for (const [full, short] of reexportsOf(module, text))
        if (!names.has(full)) names.set(full, short)
    }
    const byName = grouped(
      outline.entries.filter(({ depth, path }) => depth === 0 && isPublic(path)),
      ({ path }) => bareOf$1(path),
    )
    for (const [name, entries] of byName) {
      const full = `${module}.${name}`
      if (all.length >= maxNames$1) omitted++
      else
        all.push({
          name: full,
          ...declaredBy(lines, entries, outline.entries),
        })
    }
  }
  const notes = omitted > 0 ? [`${omitted} modules or names beyond the limits are not listed.`] : []
  return {
    names: all.map((declared) => {
      const short = names.get(declared.name)
      return short === void 0
        ? declared
        : {
            ...declared,
            name: short,
            module: declared.name.replace(/\.\w+$/, ''),
          }
    }),
    notes,
  }
}
function grouped(items, keyOf) {
  const groups = /* @__PURE__ */ new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
function declaredBy(lines, entries, all) {
  const texts = entries.map(({ startLine, endLine }) =>
    docstringIn(lines.slice(startLine - 1, endLine)),
  )
  const members = entries
    .filter(({ kind }) => kind === 'class')
    .flatMap((holder) =>
      all
        .filter(({ path, depth }) => depth === 1 && path.startsWith(`${holder.path}/`))
        .flatMap((entry) => {
          const name = bareOf$1(entry.path.slice(holder.path.length + 1))
          if (!isPublic(name) && name !== '__init__' && name !== '__call__') return []
          const comment = docstringIn(lines.slice(entry.startLine - 1, entry.endLine))
          return [
            {
              name,
              signatures: [signatureOf(entry.signature)],
              comment,
            },
          ]
        }),
    )
  return {
    signatures: entries.map(({ signature }) => signatureOf(signature)),
    comment: texts.find((text) => text !== '') ?? '',
    members,
  }
}
const isPublic = (name) => !name.startsWith('_')
const bareOf$1 = (path) => path.replace(/\[\d+\]$/, '')
/** What an `__init__` imports from modules of its package: full names and short ones. */
function reexportsOf(module, text) {
  return [...text.matchAll(/^from\s+\.([\w.]*)\s+import\s+(?:\(([^)]*)\)|([^\n(]+))/gm)].flatMap(
    ([, from = '', list, line]) =>
      (list ?? line ?? '')
        .replace(/#.*$/gm, '')
        .split(',')
        .flatMap((part) => {
          const [, name, as] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? []
          if (!name || from === '') return []
          return [[`${module}.${from}.${name}`, `${module}.${as ?? name}`]]
        }),
  )
}
// src/declarations/module-syntax.ts
const comment = /\/\*[\s\S]*?\*\/|\/\/.*|(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g
const statement =
  /^(?:(export|import)\s+(?:type\s+)?(?:(\*)(?:\s+as\s+([\w$]+))?|([\w$]+)?\s*,?\s*(?:\{([^}]*)\})?)\s*(?:from\s*(["'])([^"'\n]+)\6)?\s*(?:;|$)|export\s*=\s*([\w$.]+)|export\s+default\s+([\w$]+)\s*;)/gm
const constant = /^(export\s+)?(?:declare\s+)?(?:const|let|var)\s+([\w$]+)\s*[:=;]/gm
const declared =
  /^export\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+|async\s+)*(?:function\*?|class|interface|type|enum|const enum|namespace|module|const|let|var)\s+([\w$]+)/gm
/** What belongs to the file, too. */
const reference = /^\/\/\/\s*<reference\s+path="([^"\n]+)"/gm
/** In characters: one statement. */
const maxStatement = 4e3
function readModule(text) {
  const bare = text.replace(comment, (match) =>
    match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match,
  )
  const stars = []
  const names = /* @__PURE__ */ new Map()
  const imports = /* @__PURE__ */ new Map()
  for (const match of bare.matchAll(statement)) {
    const [, kind, star, starName, single, list, , from, assigned, isDefault] = match
    const pairs = pairsOf(list ?? '')
    if (assigned) names.set('export=', { name: assigned.split('.')[0] ?? assigned })
    else if (isDefault) names.set('default', { name: isDefault })
    else if (kind === 'import' && from) {
      if (single)
        imports.set(single, {
          name: 'default',
          from,
        })
      if (star && starName)
        imports.set(starName, {
          name: '*',
          from,
        })
      for (const [name, as] of pairs)
        imports.set(as, {
          name,
          from,
        })
    } else if (kind === 'export' && star && from)
      stars.push({
        from,
        ...(starName && { as: starName }),
      })
    else if (kind === 'export')
      for (const [name, as] of pairs)
        names.set(as, {
          name,
          ...(from && { from }),
        })
  }
  const exported = new Set([...bare.matchAll(declared)].map(([, name = '']) => name))
  const isExpress = exported.size + names.size + stars.length > 0
  for (const [, path = ''] of text.matchAll(reference)) stars.push({ from: `./${path}` })
  const constants = /* @__PURE__ */ new Map()
  for (const { index, 2: name = '' } of bare.matchAll(constant))
    if (!constants.has(name))
      constants.set(name, {
        at: index,
        text: statementAt(bare, index),
      })
  return {
    stars,
    names,
    imports,
    constants,
    isExported: (name) => !isExpress || exported.has(name),
  }
}
const pairsOf = (list) =>
  list.split(',').flatMap((part) => {
    const [, name, as] = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part) ?? []
    return name === void 0 ? [] : [[name, as ?? name]]
  })
/** Up to the semicolon outside of brackets, or the end of a line that ends a value. */
function statementAt(text, start) {
  let depth = 0
  const end = Math.min(text.length, start + maxStatement)
  for (let at = start; at < end; at++) {
    const sign = text[at] ?? ''
    if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth--
    else if (sign === ';' && depth === 0) return text.slice(start, at)
  }
  return text.slice(start, end)
}
// src/declarations/typescript-declarations.ts
const maxNames = 4e3
/** Names and packages in one line. */
const maxListed = 300
/** The exported names of the modules of a package, each once; those that lead elsewhere are noted. */
async function typescriptDeclarations(modules, reader) {
  const exports = createExports(reader)
  const all = []
  const covered = /* @__PURE__ */ new Set()
  const titles = /* @__PURE__ */ new Set()
  const pending = []
  const enter = async (file, prefix, from) => {
    for (const name of await exports.namesOf(file))
      pending.push({
        file,
        name,
        label: `${prefix}${name}`,
        from,
      })
  }
  for (const [at, { name, file }] of modules.entries())
    await enter(file, '', at > 0 ? name : void 0)
  for (let next = pending.shift(); next && all.length < maxNames; next = pending.shift()) {
    const { file, name, label, from } = next
    const target = await exports.targetOf(file, name)
    const key = `${target?.module.file}\n${target?.name ?? '*'}`
    if (!target || covered.has(key)) continue
    covered.add(key)
    const ownName = name === 'default' || name === 'export=' ? (target.name ?? name) : label
    const title = titles.has(ownName) ? `${from ?? target.module.file}.${ownName}` : ownName
    titles.add(title)
    const module = from === void 0 ? {} : { module: from }
    if (target.name !== void 0) {
      const declared = declaredIn(target.module, target.name)
      if (declared)
        all.push({
          ...declared,
          name: title,
          ...module,
        })
      continue
    }
    const signatures = [
      `namespace ${title} { ${(await exports.namesOf(target.module.file)).slice(0, maxListed).join(', ')} }`,
    ]
    all.push({
      name: title,
      ...module,
      signatures,
      comment: '',
      members: [],
    })
    await enter(target.module.file, `${title}.`, from)
  }
  const outside = [...exports.outside].slice(0, maxListed)
  return {
    names: all,
    notes: [
      ...(outside.length > 0
        ? [`Exports of other packages are not listed: ${outside.join(', ')}.`]
        : []),
      ...(pending.length > 0 ? [`${pending.length} names beyond ${maxNames} are not listed.`] : []),
    ],
  }
}
/** Follows re-exports within a package. */
function createExports(reader) {
  const opened = /* @__PURE__ */ new Map()
  const resolved = /* @__PURE__ */ new Map()
  const outside = /* @__PURE__ */ new Set()
  return {
    outside,
    namesOf: async (file) => [...(await namesIn(file, /* @__PURE__ */ new Set()))],
    targetOf: (file, name) => targetOf(file, name, /* @__PURE__ */ new Set()),
  }
  function open(file) {
    const opening = opened.get(file) ?? openModule(file)
    opened.set(file, opening)
    return opening
  }
  async function openModule(file) {
    const text = await reader.textOf(file)
    if (text === void 0) return void 0
    const { entries = [] } = (await reader.code.outline(file).catch(() => void 0)) ?? {}
    const syntax = readModule(text)
    const top = entries.flatMap(({ path, depth }) => (depth === 0 ? [bareOf(path)] : []))
    const declared = new Set([...top, ...syntax.constants.keys()].filter(syntax.isExported))
    return {
      ...syntax,
      file,
      lines: text.split('\n'),
      entries,
      declared,
    }
  }
  async function namesIn(file, visited) {
    const module = visited.has(file) ? void 0 : await open(file)
    visited.add(file)
    if (!module) return /* @__PURE__ */ new Set()
    const names = /* @__PURE__ */ new Set([...module.names.keys(), ...module.declared])
    for (const { from, as } of module.stars) {
      if (as !== void 0) names.add(as)
      const next = as === void 0 ? await follow(module, from) : void 0
      if (next === void 0) continue
      for (const name of await namesIn(next, visited)) if (name !== 'default') names.add(name)
    }
    return names
  }
  /** Each file is asked once for a name, so that cycles and fans end. */
  async function targetOf(file, name, visited) {
    const key = `${file}\n${name}`
    const module = visited.has(key) ? void 0 : await open(file)
    visited.add(key)
    if (!module) return void 0
    const statement = module.names.get(name)
    if (statement) {
      const imported = statement.from === void 0 ? module.imports.get(statement.name) : statement
      if (imported?.from === void 0)
        return {
          module,
          name: statement.name,
        }
      const next = await follow(module, imported.from)
      if (next === void 0) return void 0
      if (imported.name === '*') return namespaceOf(next)
      const isDefault = imported.name === 'default'
      return (
        (await targetOf(next, imported.name, visited)) ??
        (isDefault ? targetOf(next, 'export=', visited) : void 0)
      )
    }
    if (module.declared.has(name))
      return {
        module,
        name,
      }
    for (const { from, as } of module.stars) {
      if (as !== void 0 && as !== name) continue
      const next = await follow(module, from)
      if (next === void 0) continue
      const target = as === name ? await namespaceOf(next) : await targetOf(next, name, visited)
      if (target) return target
    }
  }
  async function namespaceOf(file) {
    const module = await open(file)
    return (
      module && {
        module,
        name: void 0,
      }
    )
  }
  async function follow(module, specifier) {
    if (!/^\.{1,2}(?:\/|$)/.test(specifier)) {
      outside.add(specifier)
      return
    }
    const key = `${module.file}\n${specifier}`
    const resolving = resolved.get(key) ?? reader.resolve(module.file, specifier)
    resolved.set(key, resolving)
    return resolving
  }
}
/** `f` of `f[1]`. */
const bareOf = (path) => path.replace(/\[\d+\]$/, '')
function declaredIn(module, name) {
  const { lines, constants, entries } = module
  const symbols = entries.filter(({ path, depth }) => depth === 0 && bareOf(path) === name)
  const constant = constants.get(name)
  if (symbols.length === 0 && !constant) return void 0
  const comments = symbols.map(({ startLine }) => commentAbove(lines, startLine))
  const signatures = symbols.map((entry) => signatureOf(headOf(module, entry)))
  if (constant) {
    const line = lineAt(module, constant.at)
    comments.push(commentAbove(lines, line))
    signatures.push(signatureOf(constant.text))
  }
  const holders = symbols.filter(({ kind }) => /class|interface|module|enum/.test(kind))
  return {
    signatures: [...new Set(signatures)],
    comment: comments.find((text) => text !== '') ?? '',
    members: holders.flatMap((holder) => membersOf(module, holder)),
  }
}
function lineAt({ lines }, at) {
  let line = 0
  for (let end = 0; line < lines.length && end <= at; line++) end += (lines[line]?.length ?? 0) + 1
  return line
}
/** The text of a declaration, without the body of one with members. */
function headOf({ lines }, { kind, signature, startLine, endLine }) {
  const texts = lines.slice(startLine - 1, endLine)
  if (!/class|interface|module/.test(kind)) return texts.join('\n')
  const end = texts.findIndex((line) => line.trimEnd().endsWith('{'))
  return signature.endsWith('…') && end >= 0 ? texts.slice(0, end + 1).join('\n') : signature
}
const property =
  /^\s*(?:(?:public|static|declare|abstract|readonly|override)\s+)*(["'\w$-]+|\[[^\]\n]{1,100}\])\??\s*(?::|=|,\s*$)/
/** Methods from the outline, and properties, which outlines do not list, in the order of the file. */
function membersOf(module, holder) {
  const methods = methodsOf(module, holder)
  const lines = new Set(methods.map(({ line }) => line))
  const properties = propertiesOf(module, holder).filter(({ line }) => !lines.has(line))
  const members = /* @__PURE__ */ new Map()
  for (const { name, text, line } of [...methods, ...properties].sort((a, b) => a.line - b.line)) {
    const member = members.get(name) ?? {
      name,
      signatures: [],
      comment: '',
    }
    member.signatures.push(signatureOf(text))
    member.comment ||= commentAbove(module.lines, line)
    members.set(name, member)
  }
  return [...members.values()]
}
const methodsOf = ({ lines, entries }, holder) =>
  entries.flatMap(({ path, depth, signature, startLine, endLine }) => {
    const isWithin = startLine >= holder.startLine && endLine <= holder.endLine
    const name = bareOf(path.slice(path.lastIndexOf('/') + 1))
    if (depth !== 1 || !isWithin || path.slice(0, path.lastIndexOf('/')) !== holder.path) return []
    const text =
      startLine > holder.startLine && signature.endsWith('…')
        ? lines.slice(startLine - 1, endLine).join('\n')
        : signature
    return isHidden(name, text)
      ? []
      : [
          {
            name,
            text,
            line: startLine,
          },
        ]
  })
function propertiesOf({ lines }, { startLine, endLine }) {
  const bare = lines
    .slice(startLine - 1, endLine)
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, blank)
  const members = []
  let depth = 0
  for (const [at, text] of bare.split('\n').entries()) {
    const [, name = ''] = (at > 0 && depth === 1 && property.exec(text)) || []
    if (name !== '' && !isHidden(name, text))
      members.push({
        name: name.replace(/["']/g, ''),
        text,
        line: startLine + at,
      })
    depth += (text.match(/[{(]/g)?.length ?? 0) - (text.match(/[})]/g)?.length ?? 0)
  }
  return members
}
const blank = (text) => text.replace(/[^\n]/g, ' ')
const isHidden = (name, text) => /^(?:#|_)/.test(name) || /^\s*(?:private|protected)\b/.test(text)
// src/declarations/describe-declarations.ts
/** Of one library. */
const maxFiles = 400
const maxBytes = 2 ** 24
const maxFileBytes = 2 ** 22
/** The exported declarations of a library by the outlines of its files. */
async function describeDeclarations({ ecosystem, folder, modules, more }) {
  const code = await createCode({
    roots: [folder],
    maxParseBytes: maxFileBytes,
  })
  let files = 0
  let bytes = 0
  let omitted = more
  const reader = {
    code,
    resolve: (from, specifier) => declarationAt(folder, join(dirname(from), specifier)),
    async textOf(file) {
      const path = await realpath(join(folder, file)).catch(() => void 0)
      const stats = path && isInside(path, folder) ? await lstat(path) : void 0
      if (!path || !stats?.isFile()) return void 0
      const isOver = files >= maxFiles || stats.size > maxFileBytes || bytes + stats.size > maxBytes
      if (isOver) omitted++
      if (isOver) return void 0
      files++
      bytes += stats.size
      return readFile(path, 'utf8')
    },
  }
  try {
    const { names, notes } = await (ecosystem === 'npm'
      ? typescriptDeclarations
      : pythonDeclarations)(modules, reader)
    const cut = omitted > 0 ? [`${omitted} files beyond the limits were not read.`] : []
    return {
      names,
      notes: [...notes, ...cut],
    }
  } finally {
    await code.close()
  }
}

export { describeDeclarations }
