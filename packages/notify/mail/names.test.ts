import { expect, test } from 'vitest'
import { withoutLinks } from './names.ts'

test('a name of a stranger’s choosing is one short line, turns nothing around, and is no link', () => {
  expect(withoutLinks('Win\u2028now\u2029at\r\n\u202eevil.example/a')).toBe('Win now at evil. example/ a')
  expect(withoutLinks(`"${'x'.repeat(200)}"`)).toBe(`'${'x'.repeat(79)}`)
  expect(withoutLinks('mallory@evil。example')).toBe('mallory@ evil。 example')
})
