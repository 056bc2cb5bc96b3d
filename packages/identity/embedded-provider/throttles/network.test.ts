import { expect, test } from 'vitest'
import { networkOf, siteOf } from './network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:0DB8:1:0002::6', '2001:db8:1:2'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network))

test.each([
  ['203.0.113.7', undefined],
  ['::ffff:203.0.113.7', undefined],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['2001:db8:1:ffff::6', '2001:db8:1'],
  ['2001:db8::6', '2001:db8:0'],
  ['', undefined],
])('%s is at the site %s', (address, site) => expect(siteOf(address)).toBe(site))
