const flags: Readonly<Record<string, string>> = {
  offline: '--offline',
  networks: '--allow-network',
}

/** Names the flag of the setting that an error of the library refers to. */
export function flagHint(error: object): string {
  const { setting } = error as { setting?: string }
  const flag = setting === undefined ? undefined : flags[setting]
  return flag === undefined ? '' : ` The flag is ${flag}.`
}
