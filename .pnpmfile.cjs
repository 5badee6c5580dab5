// What is packed says what its users need. How it is built and developed here is in the repository,
// and would make two archives of the same differ by the order of its lines.
module.exports = {
  hooks: {
    beforePacking({ devDependencies: _, scripts: __, ...manifest }) {
      return manifest
    },
  },
}
