import { hostKind, isLocalName } from '@pith-mcp/ssrf-guard'
import type { RegistryPackage, Remote } from './registry-entry.ts'

/** How packages of a type are named, and what may precede them on the command line of their program. */
interface Ecosystem {
  programs: string[]
  /** First arguments. */
  first: string[]
  identifier: RegExp
  version: RegExp
  /** The last labels of hosts that serve such packages; of images, the identifier names the host. */
  host?: readonly [string, string]
  /** Options, and whether a value follows. */
  options: Readonly<Record<string, boolean>>
}

const semver = /^\d+\.\d+\.\d+(?:\.\d+)?(?:-[\w.-]+)?(?:\+[\w.-]+)?$/
const yes = { '-y': false, '--yes': false }
const quiet = { '-q': false, '--quiet': false }

export const ecosystems: Readonly<Record<string, Ecosystem>> = {
  npm: {
    programs: ['npx'],
    first: ['-y'],
    identifier: /^(?:@[a-z\d~-][a-z\d._~-]*\/)?[a-z\d~-][a-z\d._~-]*$/i,
    version: semver,
    host: ['npmjs', 'org'],
    options: { ...yes, ...quiet },
  },
  pypi: {
    programs: ['uvx'],
    first: [],
    identifier: /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i,
    // PEP 440, one version.
    version: /^(?:\d+!)?\d+(?:\.\d+)*(?:[abc]\d+|rc\d+)?(?:\.post\d+)?(?:\.dev\d+)?(?:\+[\w.]+)?$/,
    host: ['pypi', 'org'],
    options: { ...quiet, '--python': true },
  },
  oci: {
    programs: ['docker', 'podman'],
    first: ['run', '-i', '--rm'],
    // A reference of the distribution specification.
    identifier:
      /^(?:[a-z\d.-]+(?::\d+)?\/)?[a-z\d]+(?:[._/-]+[a-z\d]+)*(?::\w[\w.-]{0,127})?(?:@sha256:[a-f\d]{64})?$/i,
    version: /^\w[\w.-]{0,127}$/,
    options: {
      ...{ '-i': false, '--interactive': false, '--rm': false, '--init': false },
      ...{ '-e': true, '--env': true, '--name': true, '--platform': true, '--pull': true },
    },
  },
  nuget: {
    programs: ['dnx'],
    first: [],
    identifier: /^\w+(?:[.-]\w+)*$/,
    version: semver,
    host: ['nuget', 'org'],
    options: { ...yes, '--prerelease': false },
  },
}

/** Why a package cannot be meant: what it is called would be read as something else. */
export function unsafePackage(choice: RegistryPackage): string | undefined {
  const { registryType: type, registryBaseUrl: base, identifier, version } = choice
  const { identifier: grammar, version: exact, host } = ecosystems[type] ?? {}
  if (grammar && !grammar.test(identifier))
    return `${identifier} is no name of a package of ${type}.`
  if (version !== undefined && exact && !exact.test(version))
    return `${version} is not one exact version.`
  const variable = choice.environmentVariables.find(({ name }) => !/^[A-Za-z_]\w*$/.test(name))
  if (variable) return `${JSON.stringify(variable.name)} is no name of a variable.`
  if (base === undefined || host === undefined) return undefined
  const { protocol, hostname } = new URL(base)
  const isUsual = protocol === 'https:' && hostname.split('.').slice(-2).join() === host.join()
  // The usual place may have another package of this name.
  return isUsual ? undefined : `Its package is at ${base}. Add it with a command of your own.`
}

/** Words before the package that its program does not usually get. */
export function oddWords(type: string, words: readonly string[]): string[] {
  const options = ecosystems[type]?.options ?? {}
  return words.filter((word, at) => {
    const [name = '', value] = word.split(/=(.*)/s)
    const isValue = options[words[at - 1] ?? ''] === true && !word.startsWith('-')
    return !(isValue || (Object.hasOwn(options, name) && (value === undefined || options[name])))
  })
}

/** Variables by which a program, its loader or its package manager runs other code than it is. */
const loaders =
  /^(?:LD_.*|DYLD_.*|PATH|PATHEXT|SHELL|IFS|BASH_ENV|NODE_(?!ENV$).*|NPM_CONFIG_.*|PYTHON(?:PATH|HOME|STARTUP|INSPECT)|PIP_.*|UV_.*|RUBY(?:OPT|LIB)|PERL5(?:OPT|LIB)|_?JAVA_(?:TOOL_)?OPTIONS|DOTNET_.*|DOCKER_.*|GIT_(?:SSH|EXEC|CONFIG|ASKPASS).*|SSL_.*|(?:HTTPS?|ALL)_PROXY)$/i

const isHidden = (text: string): boolean => /[\p{C}\u2028\u2029]/u.test(text)

/** Sentences that a person must accept before this is added. */
export function risksOf(
  choice: RegistryPackage | Remote,
  words: readonly string[],
  isBuiltIn: boolean,
): string[] {
  const risks: string[] = []
  if ('url' in choice) {
    const { url, headers } = choice
    const read = URL.canParse(url) ? new URL(url) : undefined
    const { hostname: host = '' } = read ?? {}
    if (isLocalName(host) || (hostKind(host) ?? 'public') !== 'public')
      risks.push(`${host} is an address of your machine or network, not of the publisher.`)
    if (read?.username)
      risks.push(`Before the host ${host} its address has a user, ${read.username}.`)
    if (headers.some(({ value = '' }) => isHidden(value)))
      risks.push('A header has control characters or invisible ones.')
    return risks
  }
  const { registryType: type, version, environmentVariables: variables } = choice
  if (version === undefined && !isBuiltIn && type !== 'oci')
    risks.push('It names no version: the newest is started each time.')
  const odd = oddWords(type, words)
  if (odd.length > 0)
    risks.push(
      `It is started with ${odd.map((word) => JSON.stringify(word)).join(' ')}, which can change what runs, or what it can reach.`,
    )
  const loading = variables.map(({ name }) => name).filter((name) => loaders.test(name))
  if (loading.length > 0)
    risks.push(`It sets ${loading.join(', ')}, by which other programs may be run.`)
  if (variables.some(({ value = '', default: byDefault = '' }) => isHidden(value + byDefault)))
    risks.push('A variable has control characters or invisible ones.')
  return risks
}
