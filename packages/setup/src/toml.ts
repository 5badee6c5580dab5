export { editToml } from './files/edit-toml.ts'
export { readToml } from './files/read-toml.ts'
