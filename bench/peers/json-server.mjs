import jsonServer from 'json-server';

// The module of json-server as its documentation shows it, without the log of requests. The items
// are on the command line; an item is found by its guid.
const [items = '[]'] = process.argv.slice(2);
const router = jsonServer.router({ menuItems: JSON.parse(items) });
router.db._.id = 'guid';
const server = jsonServer.create();
server.use(jsonServer.defaults({ logger: false, readOnly: true }));
server.use(jsonServer.rewriter({ '/config/v2/*': '/$1' }));
server.use(router);
const listener = server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`json-server ready http://127.0.0.1:${listener.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
