import { decoded } from '#base/decoded'

/** A repository on GitHub. */
export interface Repository {
  owner: string
  name: string
}

/** First parts of paths on github.com that own no repositories. */
const noOwners =
  /^(?:about|apps|enterprise|explore|features|login|marketplace|notifications|orgs|search|settings|sponsors|topics|users)$/

/**
 * A repository, or a folder (`tree`) or file (`blob`) of it: `path` begins with a ref, which may
 * contain slashes. Undefined for other addresses, such as that of an issue.
 */
export function repositoryAt(
  url: string,
): (Repository & { view: string; path: string[] }) | undefined {
  const { hostname, pathname } = new URL(url)
  const [owner = '', name = '', view = '', ...path] = pathname.split('/').filter(Boolean)
  const repository = repositoryNamed(`${owner}/${name}`)
  const isView = view === '' || (/^(?:tree|blob)$/.test(view) && path.length > 0)
  if (!/^(?:www\.)?github\.com$/.test(hostname) || !repository || !isView) return undefined
  // No ref contains two dots, and no folder may lead elsewhere.
  if (noOwners.test(owner) || path.some((part) => decoded(part).includes('..'))) return undefined
  return { ...repository, view, path: path.map(decoded) }
}

/** The address of a file at a ref, which a reader can open. */
export const fileAddress = ({ owner, name }: Repository, ref: string, path: string): string =>
  `https://github.com/${owner}/${name}/blob/${inPath(ref)}/${inPath(path)}`

/** With everything but slashes percent-encoded. */
export const inPath = (text: string): string => text.split('/').map(encodeURIComponent).join('/')

const repositoryLink =
  /^(?:github:|(?:git\+)?(?:https?|ssh|git):\/\/(?:\w+@)?(?:www\.)?github\.com\/|git@github\.com:)?(\w[\w-]{0,99})\/(\w[\w.-]{0,99}?)(?:\.git)?\/?(?:[#?/].*)?$/

/** A repository as manifests name it: `owner/name`, `git+https://github.com/owner/name.git`. */
export function repositoryNamed(text: string): Repository | undefined {
  const [, owner, name] = repositoryLink.exec(text.trim()) ?? []
  return owner !== undefined && name !== undefined ? { owner, name } : undefined
}

export const titleOf = ({ owner, name }: Repository): string => `${owner}/${name}`
