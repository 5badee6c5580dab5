import { languageOfName } from '../languages/all-languages.ts'

/** Folders nothing in which is source code for others to read. */
const secretFolders =
  /(?:^|[\\/])(?:[^\\/]*\.git|\.hg|\.svn|\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.m2|\.gradle|\.terraform\.d|\.password-store|\.config[\\/](?:gcloud|gh|glab-cli|op|sops))(?:[\\/]|$)/i

/** What copies of a file are called by: taken off before its name is looked at. */
const copies = /(?:~|[._-](?:bak|backup|old|orig|save|saved|copy|swp|swo|tmp|\d{1,3}))+$/i

/** Names of files that hold keys and passwords, whatever follows. Examples of them are no secret. */
const secretFiles: readonly RegExp[] = [
  /^\.?env(?:[._-].*)?$/i,
  /\.env$/i,
  /^\.envrc/i,
  /^\.(?:npmrc|pypirc|netrc|htpasswd|pgpass|my\.cnf|git-credentials|dockercfg|dockerconfigjson|s3cfg|boto|vault[-_]?(?:token|pass)|yarnrc)(?:[._-].*)?$/i,
  /^_netrc$/i,
  /(?:^|[._-])(?:rsa|dsa|ecdsa|ed25519)(?:[._-].*)?$/i,
  /^id_|deploy[_-]?key$/i,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|asc|gpg|ovpn|tfvars|tfstate)(?:[._-].*)?$/i,
  /(?:^|[._-])(?:credentials?|secrets?|passwords?|passwd|service[-_]?account(?:[-_]?key)?|client[-_]?secret|adminsdk)(?:[._-].*)?$/i,
  /^(?:shadow|kubeconfig|\.?\w*_history)$/i,
]
const examples =
  /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema)(?:[._-]|$)|\.(?:pub|md|mdx|rst|adoc|html?)$/i

/** Whether nothing in a folder, by its path as from the root, is source code. */
export const isSecretFolder = (path: string): boolean => secretFolders.test(path)

/** Whether a path, as from its root, names what is kept secret. Source code is not, by its name. */
export function isSecret(path: string): boolean {
  if (isSecretFolder(path)) return true
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const plain = name.replace(copies, '')
  if (examples.test(plain) || languageOfName(plain) !== undefined) return false
  return secretFiles.some((pattern) => pattern.test(plain))
}
