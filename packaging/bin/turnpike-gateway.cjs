#!/usr/bin/env node
'use strict'
// Read by every Node, so that an old one says more than where it stumbled.
const oldest = [22, 19]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(
    `turnpike: the gateway needs Node ${oldest.join('.')} or newer, and this is ${process.versions.node}: ` +
      'install one from https://nodejs.org, or have npm bring one: npx -p node@26 -p <package> turnpike\n',
  )
  process.exitCode = 1
} else {
  void import('./gateway/turnpike-gateway.js')
}
