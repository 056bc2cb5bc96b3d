import { expect, test } from 'vitest'
import { withoutLinks } from './names.ts'

test('a name chosen by a stranger becomes one short line, reverses no text and is not a link', () => {
  expect(withoutLinks('Win\u2028now\u2029at\r\n\u202eevil.example/a')).toBe('Win now at evil. example/ a')
  expect(withoutLinks(`"${'x'.repeat(200)}"`)).toBe(`'${'x'.repeat(79)}`)
  expect(withoutLinks('mallory@evil。example')).toBe('mallory@ evil。 example')
})
