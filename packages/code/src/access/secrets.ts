/** Folders nothing in which is source code for others to read. */
const secretFolders =
  /(?:^|[\\/])(?:\.git|\.hg|\.svn|\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker)(?:[\\/]|$)/i

/** Names of files that hold keys and passwords. Examples of them are no secret. */
const secretFiles: readonly RegExp[] = [
  /^\.env(?:\.(?!example$|sample$|template$|dist$|defaults$).*)?$/i,
  /^\.envrc$/i,
  /^\.(?:npmrc|pypirc|netrc|htpasswd|pgpass|my\.cnf|git-credentials|dockercfg|vault-token)$/i,
  /^_netrc$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.(?!pub$).*)?$/i,
  /\.(?:pem|key|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|asc|gpg|ovpn)$/i,
  /^(?:credentials|secrets?|service[-_]account[^.]*)(?:\.(?:json|ya?ml|toml|ini|txt|env|properties))?$/i,
  /\.tfstate(?:\.backup)?$/i,
]

/** Whether a path, as from its root, names what is kept secret. */
export function isSecret(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return secretFolders.test(path) || secretFiles.some((pattern) => pattern.test(name))
}
