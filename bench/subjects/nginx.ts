import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startChild } from '../child.ts'
import { forwarding } from './bare.ts'
import { runningSubject, type Subject } from './subject.ts'

/** nginx as a reverse proxy in one process; undefined if it is not installed. */
export function nginx(vendorPort: number): Subject | undefined {
  const version = findVersion()
  if (version === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-nginx-'))
  return {
    name: 'nginx',
    description: `nginx ${version}, one process, proxy_pass with keep-alive, unbuffered`,
    async start() {
      const port = await freePort()
      const path = join(folder, 'nginx.conf')
      writeFileSync(path, configuration(folder, port, vendorPort))
      const child = startChild('nginx', ['-p', folder, '-e', 'stderr', '-c', path])
      return runningSubject({ child, port, readyPath: '/', isNode: false, target: forwarding(port) })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** nginx prints its version to standard error. */
function findVersion(): string | undefined {
  const { error, stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  return error === undefined ? (/nginx\/(\S+)/u.exec(stderr)?.[1] ?? 'of unknown version') : undefined
}

function configuration(folder: string, port: number, vendorPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join('\n  ')
  return `daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
error_log stderr crit;
worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http {
  ${temporary}
  access_log off;
  tcp_nodelay on;
  keepalive_requests 100000000;
  client_body_buffer_size 64k;
  upstream vendor {
    server 127.0.0.1:${vendorPort};
    keepalive 1024;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://vendor;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 900s;
    }
  }
}
`
}
