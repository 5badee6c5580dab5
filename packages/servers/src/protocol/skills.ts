import { isJsonObject, type JsonObject } from './message.ts'

/** Skills (SEP-2640): folders with instructions for models, whose files are resources. */
const extension = 'io.modelcontextprotocol/skills'

export const hasSkills = ({ extensions }: JsonObject): boolean =>
  isJsonObject(extensions) && extensions[extension] !== undefined

/** Declared to clients; a server without `directoryRead` answers with its own error. */
export const skillsCapability: JsonObject = { [extension]: { directoryRead: true } }

/** An entry of a skill with the URIs of all its files replaced. Digests and frontmatter stay. */
export function withSkillUris(skill: JsonObject, replace: (uri: string) => string): JsonObject {
  const { resources: files } = skill
  const fields = Array.isArray(files) && { resources: files.map((file) => withUri(file, replace)) }
  return { ...withUri(skill, replace), ...fields }
}

const withUri = (item: JsonObject, replace: (uri: string) => string): JsonObject =>
  typeof item['uri'] === 'string' ? { ...item, uri: replace(item['uri']) } : item
