export interface Visitor {
  kind: string
  name?: string | undefined
  profile?: string | undefined
  scopes: ReadonlySet<string>
}
