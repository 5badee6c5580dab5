import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} SourcePage
 * @property {string} source Path of the Markdown, from the root of the repository.
 * @property {string} path Path in the site, without an extension.
 */

/**
 * Pages of the manual, in the order and groups of `docs/navigation.json`. Pages missing there come
 * last, without a group, and are reported in `problems`. Groups with `isOnGitHub` are read there only.
 */
export function findPages(root) {
  const navigation = JSON.parse(readFileSync(join(root, 'docs/navigation.json'), 'utf8'))
  const forContributors = navigation
    .filter(({ isOnGitHub }) => isOnGitHub)
    .flatMap(({ pages }) => pages)
  const sources = [
    ...markdownBelow(join(root, 'docs')).map((name) => `docs/${name}`),
    ...foldersOf(join(root, 'packages'))
      .filter((name) => !isPrivate(join(root, 'packages', name, 'package.json')))
      .map((name) => `packages/${name}/README.md`),
  ].filter((source) => existsSync(join(root, source)) && !forContributors.includes(source))
  const pages = new Map(sources.map((source) => [source, { source, path: pathOf(source) }]))
  const manual = navigation.filter(({ isOnGitHub }) => !isOnGitHub)
  const listedPages = manual.flatMap((group) => group.pages)
  const problems = [
    ...listedPages
      .filter((source) => !pages.has(source))
      .map((source) => `docs/navigation.json names ${source}, which does not exist`),
    ...listedPages
      .filter((source, at) => listedPages.indexOf(source) !== at)
      .map((source) => `docs/navigation.json names ${source} twice`),
    ...sources
      .filter((source) => !listedPages.includes(source))
      .map((source) => `docs/navigation.json does not name ${source}`),
  ]
  const groups = manual.map((group) => ({
    ...group,
    pages: group.pages.flatMap((source) => pages.get(source) ?? []),
  }))
  const order = new Set([...groups.flatMap((group) => group.pages), ...pages.values()])
  return { groups, pages: [...order], problems }
}

const markdownBelow = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort()

/** Private packages are bundled into the servers: readers of the manual cannot install them. */
const isPrivate = (path) => existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).private

const foldersOf = (folder) => (existsSync(folder) ? readdirSync(folder).sort() : [])

const pathOf = (source) =>
  source
    .replace(/^docs\//, '')
    .replace(/^packages\/([^/]+)\/README\.md$/, 'libraries/$1')
    .replace(/\.md$/, '')
