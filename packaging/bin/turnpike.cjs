#!/usr/bin/env node
'use strict'
// What the package is called by. Without a word it is the gateway, so that `npx` of it starts one; `start`,
// `check-config`, `doctor` and `ledger verify` are the gateway's, too, and all else is the command line.
const words = process.argv.slice(2)
const [first, second] = words
const isGateways =
  first === undefined ||
  ['start', 'check-config', 'doctor', '--config', '-c', '--workers'].includes(first.split('=', 1)[0]) ||
  (first === 'ledger' && second === 'verify')

require(isGateways ? './turnpike-gateway.cjs' : './cli/turnpike.cjs')
