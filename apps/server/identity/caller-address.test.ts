import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { callerAddressReader } from './caller-address.ts'

const proxies = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8']

test.each<[string, string | undefined, string]>([
  ['203.0.113.7', undefined, '203.0.113.7'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', 'spoofed, 198.51.100.1, 192.0.2.1', '198.51.100.1'],
  ['10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', undefined, '10.1.2.3'],
  ['10.1.2.3', ' , ', '10.1.2.3'],
  ['fd12::1', '2001:db8::7', '2001:db8::7'],
  ['10.1.2.3', '10.9.9.9', '10.9.9.9'],
  ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  ['10.1.2.3', '[2001:DB8:0::7]:4711', '2001:db8::7'],
  ['10.1.2.3', '2001:0db8:0:0:0:0:0:7', '2001:db8::7'],
  ['10.1.2.3', '::ffff:c633:6401', '198.51.100.1'],
  ['::ffff:0a01:0203', '198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', 'unknown', '10.1.2.3'],
  ['10.1.2.3', 'unknown, 10.9.9.9', '10.9.9.9'],
  ['10.1.2.3', '198.51.100.1, _hidden', '10.1.2.3'],
  ['203.0.113.7', '10.1.2.3', '203.0.113.7'],
])('a connection from %s with X-Forwarded-For %s comes from %s', (remoteAddress, header, address) => {
  const request = { headers: { 'x-forwarded-for': header }, socket: { remoteAddress } }
  expect(callerAddressReader(proxies)(request as unknown as IncomingMessage)).toBe(address)
})
