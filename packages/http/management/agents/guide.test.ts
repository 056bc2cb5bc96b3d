import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'
import { guide } from './guide.ts'

const root = new URL('../../../../', import.meta.url)
const compatible = [
  'GET /v1/models',
  'POST /v1/chat/completions',
  'POST /v1/messages',
  'POST /v1/messages/count_tokens',
  'POST /v1/responses',
  'POST /v1/responses/input_tokens',
  'POST /v1/completions',
  'POST /v1/embeddings',
  'POST /v1/rerank',
  'POST /v1/moderations',
  'POST /v1beta/models/{model}:generateContent',
]

const server = await suiteFullServer()

const reference = readFileSync(new URL('docs/cli.md', root), 'utf8')

const texts: Record<string, string> = {
  '/llms.txt': guide,
  'docs/agents.md': readFileSync(new URL('docs/agents.md', root), 'utf8'),
}

describe.each(Object.entries(texts))('%s', (_name, text) => {
  test('names existing paths only', () => {
    const known = server.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const named = [...text.matchAll(/\b(GET|POST|PATCH|DELETE) (\/[\w./{}-]*\w\}?(?::\w+)?)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((one) => ![...known, ...compatible].includes(one))).toEqual([])
    const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, path]) => `GET ${path}`)
    expect(links.filter((one) => !known.includes(one))).toEqual([])
  })

  test('names existing commands and options only', () => {
    const commands = [...text.matchAll(/\bturnpike ((?:[a-z]+ ?)+)((?:--[a-z-]+|"[^"]*"|[\w.:/<>]+| )*)/g)]
    expect(commands.length).toBeGreaterThan(3)
    for (const [, words, options] of commands) {
      const flags = flagsOf(words!.trim().split(' '))
      for (const [, option] of options!.matchAll(/--([a-z-]+)/g))
        if (option !== 'json') expect(flags, `${words} --${option}`).toContain(`--${option}`)
    }
  })
})

/** The options that docs/cli.md lists for a command such as `keys create` or `login`. */
function flagsOf([noun = '', verb = '']: string[]): string[] {
  const sections = reference.split(/^## turnpike /m)
  const section = sections.find((one) => one.startsWith(`${noun} ${verb}\n`) || one.startsWith(`${noun}\n`))
  expect(section, `turnpike ${noun} ${verb}`).toBeDefined()
  return [...section!.matchAll(/^\| `(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag!)
}
