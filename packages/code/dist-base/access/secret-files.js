import { languageOfName } from '../languages/all-languages.js';
/** Folders that contain credentials or repository data, and no source code. */
const secretFolders = /(?:^|[\\/])(?:[^\\/]*\.git|\.hg|\.svn|\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.m2|\.gradle|\.terraform\.d|\.password-store|\.config[\\/](?:gcloud|gh|glab-cli|op|sops))(?:[\\/]|$)/i;
/** Suffixes of backup copies, removed before a name is tested. */
const copies = /(?:~|[._-](?:bak|backup|old|orig|save|saved|copy|swp|swo|tmp|\d{1,3}))+$/i;
/**
 * Names of files with keys and passwords, with any suffix. Examples of such files are not secret.
 */
const secretFiles = [
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
];
const examples = /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema)(?:[._-]|$)|\.(?:pub|md|mdx|rst|adoc|html?)$/i;
/** True for a folder without source code, by its path relative to the root. */
export const isSecretFolder = (path) => secretFolders.test(path);
/**
 * True if a path, relative to its root, names a secret. A file name of a source language is not
 * secret.
 */
export function isSecret(path) {
    if (isSecretFolder(path))
        return true;
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    const original = name.replace(copies, '');
    if (examples.test(original) || languageOfName(original) !== undefined)
        return false;
    return secretFiles.some((pattern) => pattern.test(original));
}
//# sourceMappingURL=secret-files.js.map