export {};
//# sourceMappingURL=chunk.js.map