db.films.insertMany([
  {_id: 1, title: "Star Wars", director: "George Lucas", release_US: ISODate("1977-05-20T01:00:00+01:00"), release_France: ISODate("1977-10-19T01:00:00+01:00"), release_Italy: ISODate("1977-10-20T01:00:00+01:00"), release_UK: ISODate("1977-12-27T01:00:00+01:00")},
  {_id: 2, title: "Small Town", director: "A. Weber", release_Germany: ISODate("1979-03-02")},
  {_id: 3, title: "Night Bus", director: "M. Rossi", release_US: ISODate("1978-02-10"), release_Italy: ISODate("1976-11-05")},
  {_id: 4, title: "Lost Reel", director: "N. N."}
])
