import { expect, test } from 'vitest'
import { subjectOf } from '../src/render/reply-text.ts'

test.each([
  ['https://docs.djangoproject.com/en/5.2/', 'django 5.2'],
  ['https://nginx.org/en/docs/', 'nginx'],
  ['https://docs.python.org/3/library/', 'python 3'],
  ['https://docs.aws.amazon.com/', 'aws amazon'],
  ['https://requests.readthedocs.io/en/v2.31/', 'requests v2.31'],
  ['https://docs.rs/tokio/latest/', 'docs tokio'],
  ['https://someone.github.io/project/docs/', 'someone project'],
  ['https://docs.dev/', 'docs'],
])('%s documents %s', (url, subject) => expect(subjectOf(url)).toBe(subject))
