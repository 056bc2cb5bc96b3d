import { expect, test } from 'vitest'
import { isLoopbackAddress, plainAddress } from './internet-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['0:0:0:0:0:0:0:1', '::1'],
])('%s is %s', (text, address) => expect(plainAddress(text)).toBe(address))

test.each(['', 'unknown', '203.0.113', '203.0.113.07', '2001:db8::1::2', '[::1]', '1.2.3.4:80', '0x7f.1'])(
  '"%s" is no address',
  (text) => expect(plainAddress(text)).toBeUndefined(),
)

test.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['::1', true],
  ['128.0.0.1', false],
  ['10.0.0.1', false],
  ['::2', false],
])('%s is loopback: %s', (address, expected) => expect(isLoopbackAddress(address)).toBe(expected))
