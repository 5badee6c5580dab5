export { editToml } from './edit-toml.ts'
export { readToml } from './read-toml.ts'
