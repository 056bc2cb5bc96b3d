import { expect, test } from 'vitest'
import { browserOf, systemOf } from './user-agent.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['<script>alert(1)</script>', undefined],
  [null, undefined],
])('browserOf reads %s as %s', (userAgent, expected) => {
  expect(browserOf(userAgent)).toBe(expected)
})

test('systemOf returns the system of a command line', () => {
  expect(systemOf('turnpike-cli/1.0 (linux x64)')).toBe('Linux')
  expect(systemOf('node')).toBeUndefined()
})
