const defaultQuery = `# What does a store charge now, and what is next?
{
  stores(first: 1) { nodes { key name timeZone } }
  basePrices(store: "DE-0001", first: 3) {
    edges { cursor node { product { key } effectiveDate startsAt price { amount currency } } }
    pageInfo { hasNextPage endCursor }
  }
}
`;

ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, { fetcher: GraphiQL.createFetcher({ url: '/graphql' }), defaultQuery }));
