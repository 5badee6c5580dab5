export {};
//# sourceMappingURL=known-symbols.js.map