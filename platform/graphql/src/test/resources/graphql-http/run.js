const { serverAudits } = require('./lib/audits/server.js');

(async () => {
  for (const audit of serverAudits({ url: process.argv[2] })) {
    const result = await audit.fn();
    console.log(JSON.stringify({ id: result.id, name: result.name, status: result.status, reason: result.reason }));
  }
})();
