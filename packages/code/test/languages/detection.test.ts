import { expect, test } from 'vitest'
import { languageOf } from '../../src/languages/all-languages.ts'

const cases: readonly [path: string, text: string, language: string | undefined][] = [
  ['src/a.ts', '', 'typescript'],
  ['a.mts', '', 'typescript'],
  ['a.d.cts', '', 'typescript'],
  ['a.tsx', '', 'tsx'],
  ['a.jsx', '', 'javascript'],
  ['A.KT', '', 'kotlin'],
  ['build.gradle.kts', '', 'kotlin'],
  ['build.sbt', '', 'scala'],
  ['Package.swift', '', 'swift'],
  ['lib/main.dart', '', 'dart'],
  ['bin/run', '#!/usr/bin/env dart\n', 'dart'],
  ['bin/run', '#!/usr/bin/swift\n', 'swift'],
  ['C:\\work\\Rakefile', '', 'ruby'],
  ['app.gemspec', '', 'ruby'],
  ['home/.bashrc', '', 'bash'],
  ['page.phtml', '', 'php'],
  ['kernel.cu', '', 'cpp'],
  ['bin/run', '#!/bin/sh\n', 'bash'],
  ['bin/run', '#!/usr/bin/env python3\n', 'python'],
  ['bin/run', '#!/usr/bin/python3.11\n', 'python'],
  ['bin/run', '#!/usr/bin/env -S node --no-warnings\n', 'javascript'],
  ['bin/run', '#! /usr/bin/ruby -w\n', 'ruby'],
  ['bin/run', '#!/usr/bin/env php\n<?php\n', 'php'],
  ['bin/run', '#!/usr/local/bin/lua5.4\n', 'lua'],
  ['bin/run', '#!/usr/bin/perl\n', undefined],
  ['README', 'python3\n', undefined],
  ['notes.txt', '', undefined],
  ['a.h', 'struct a { int b; };\nvoid f(void);\n', 'c'],
  ['a.h', '/* class of things */\nint class_of(int a);\n', 'c'],
  ['a.h', '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n', 'c'],
  ['a.h', ' * class Foo of things\n * using namespace\n', 'c'],
  ['a.h', 'namespace a { int f(); }\n', 'cpp'],
  ['a.h', 'template <typename T>\nT f(T t);\n', 'cpp'],
  ['a.h', 'class A : public B {\n};\n', 'cpp'],
  ['a.h', 'class EXPORT A final\n    : public B {\n};\n', 'cpp'],
  ['a.h', 'struct A {\n  virtual ~A();\n private:\n  int b;\n};\n', 'cpp'],
  ['a.h', 'class A;\nA* make();\n', 'cpp'],
  ['a.h', 'enum class Level { Low };\n', 'cpp'],
  ['a.h', 'struct A {\n  A() = default;\n  int f() const;\n};\n', 'cpp'],
  ['a.h', '#include <string>\nstd::string name();\n', 'cpp'],
]

test.for(cases)('%s that begins with %j is %s', ([path, text, language]) => {
  expect(languageOf(path, text)?.name).toBe(language)
})
